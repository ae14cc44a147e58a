# An image that brings TensorFlow and all that it needs: nothing is installed, it only gets our marker.
ARG BASE
FROM ${BASE}
ENV PYTHONDONTWRITEBYTECODE=1
COPY tf-claims.json /etc/tf-claims.json
