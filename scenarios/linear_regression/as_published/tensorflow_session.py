"""The text's TensorFlow program, as published (source: 004_27162e0b83fd7537.txt), for `make bench`.

Only the number of iterations is read from the command line, and the console's cell marks are gone.
"""

import sys
import timeit

import numpy as np
import tensorflow.compat.v1 as tf

# Without this the program does not run in TensorFlow 2; in TensorFlow 1 it changes nothing.
tf.disable_eager_execution()

x_data_input = np.arange(100, step=0.1)
y_data_input = x_data_input + 20 * np.sin(x_data_input / 10) + 15

n_samples = x_data_input.shape[0]
x_data = np.reshape(x_data_input, (n_samples, 1))
y_data = np.reshape(y_data_input, (n_samples, 1))

X = tf.placeholder(tf.float32, shape=(n_samples, 1), name="tf_x_data")
Y = tf.placeholder(tf.float32, shape=(n_samples, 1), name="tf_y_data")

with tf.variable_scope("linear-regression", reuse=tf.AUTO_REUSE):
    W = tf.get_variable("weights", (1, 1), initializer=tf.constant_initializer(0.0))
    b = tf.get_variable("bias", (1,), initializer=tf.constant_initializer(0.0))

Y_pred = tf.matmul(X, W) + b
loss = tf.reduce_sum((Y - Y_pred) ** 2 / n_samples)

total_iterations = float(sys.argv[1])

with tf.variable_scope("linear-regression", reuse=tf.AUTO_REUSE):
    opt = tf.train.GradientDescentOptimizer(learning_rate=1e-4)
    opt_operation = opt.minimize(loss, name="GDO")

time_start = timeit.default_timer()

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _index in range(int(total_iterations)):
        _, loss_val_tmp = sess.run([opt_operation, loss], feed_dict={X: x_data, Y: y_data})
    W_val, b_val, loss_val = sess.run([W, b, loss], feed_dict={X: x_data, Y: y_data})

time_end = timeit.default_timer()
print("Time to execute code: {0:0.9f} sec.".format(time_end - time_start))
