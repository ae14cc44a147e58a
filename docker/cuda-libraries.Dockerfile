# A base with Python, and beside it the CUDA and cuDNN libraries of another image. They are copied into the newer system,
# whose C library runs them; a CPython of the newer system would not start in theirs.
ARG BASE=host
ARG CUDA

# As in Dockerfile: a base made on this host.
FROM scratch AS host
ADD base.tar /
ENV PATH=/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8

FROM ${CUDA} AS cuda
RUN mkdir /libraries && cp -a /usr/local/cuda-*/lib64/lib*.so.* /usr/lib/x86_64-linux-gnu/libcudnn.so.* /libraries

FROM ${BASE}
COPY --from=cuda /libraries /usr/local/cuda/lib64
RUN echo /usr/local/cuda/lib64 > /etc/ld.so.conf.d/cuda.conf
