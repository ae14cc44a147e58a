"""The text's NumPy program, as published (source: 004_27162e0b83fd7537.txt), for `make bench`.

Only the number of iterations is read from the command line, and the console's cell marks are gone.
"""

import sys
import timeit

import numpy as np

x_data_input = np.arange(100, step=0.1)
y_data_input = x_data_input + 20 * np.sin(x_data_input / 10) + 15

n_samples = x_data_input.shape[0]

W = 0.0
b = 0.0

y_gd_approx = W * x_data_input + b
loss = np.sum((y_data_input - y_gd_approx) ** 2) / n_samples

total_iterations = float(sys.argv[1])
GD_stepsize = 1e-4

time_start = timeit.default_timer()

for _index in range(int(total_iterations)):
    loss_gradient_W = 2.0 / n_samples * np.sum(-x_data_input * (y_data_input - y_gd_approx))
    loss_gradient_b = 2.0 / n_samples * np.sum(-1 * (y_data_input - y_gd_approx))
    W = W - GD_stepsize * loss_gradient_W
    b = b - GD_stepsize * loss_gradient_b
    y_gd_approx = W * x_data_input + b
    loss = np.sum((y_data_input - y_gd_approx) ** 2) / x_data_input.shape[0]

time_end = timeit.default_timer()
print("Time to execute code: {0:0.9f} sec.".format(time_end - time_start))
