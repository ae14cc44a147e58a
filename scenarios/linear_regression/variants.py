"""Gradient descent on a line, ``y = W x + b``, in all the ways that are compared.

Each public function is a variant: its body is the set-up, and it returns ``(first_step, run)``, see README.md. The
loops of :func:`numpy` and :func:`session_feed` are the published text's own, word for word.
"""

from types import SimpleNamespace

import numpy as np

CONVERGED = 1e-6  # above the loss of the optimum


def numpy(case):
    data = _data(case)
    x_data_input, y_data_input, n_samples = data.x, data.y, data.n
    total_iterations, GD_stepsize = case.sizes["iterations"], case.sizes["rate"]

    def run():
        W = b = 0.0
        y_gd_approx = W * x_data_input + b
        loss = np.sum((y_data_input - y_gd_approx) ** 2) / n_samples
        for _index in range(int(total_iterations)):
            loss_gradient_W = 2.0 / n_samples * np.sum(-x_data_input * (y_data_input - y_gd_approx))
            loss_gradient_b = 2.0 / n_samples * np.sum(-1 * (y_data_input - y_gd_approx))
            W = W - GD_stepsize * loss_gradient_W
            b = b - GD_stepsize * loss_gradient_b
            y_gd_approx = W * x_data_input + b
            loss = np.sum((y_data_input - y_gd_approx) ** 2) / x_data_input.shape[0]
        return _results(case, data, W, b, loss)

    return (lambda: None), run


def numpy_until_converged(case):
    """The same loop, until the loss is as good as the optimum's; ``iterations`` is the most it may take."""
    data = _data(case)
    x, y, n, rate, most = data.x, data.y, data.n, case.sizes["rate"], case.sizes["iterations"]
    W, b = _optimum(data.x, data.y)
    enough = np.sum((y - (W * x + b)) ** 2) / n + CONVERGED

    def run():
        W = b = 0.0
        approx = W * x + b
        for iteration in range(1, most + 1):
            gradient_W = 2.0 / n * np.sum(-x * (y - approx))
            gradient_b = 2.0 / n * np.sum(-1 * (y - approx))
            W, b = W - rate * gradient_W, b - rate * gradient_b
            approx = W * x + b
            loss = np.sum((y - approx) ** 2) / n
            if loss <= enough:
                results = _results(case, data, W, b, loss, exact=_descended(x, y, rate, iteration))
                return dict(results, iterations_to_converge=iteration)
        raise ArithmeticError("not converged after {} iterations".format(most))

    return (lambda: None), run


def closed_form(case):
    data = _data(case)

    def run():
        columns = np.stack([data.x, np.ones_like(data.x)], axis=1)
        W, b = np.linalg.lstsq(columns, data.y, rcond=None)[0]
        loss = np.sum((data.y - (W * data.x + b)) ** 2) / data.n
        return _results(case, data, W, b, loss, exact=_optimum(data.x, data.y))

    return (lambda: None), run


def session_feed(case):
    """The text's own program: one ``Session.run`` for each step, float64 arrays fed into float32 placeholders."""
    tf, data = _tensorflow_1(), _data(case)
    x_data, y_data, total_iterations = data.x_column, data.y_column, case.sizes["iterations"]
    with tf.device(_device(tf, case)):
        X = tf.placeholder(tf.float32, shape=(data.n, 1), name="tf_x_data")
        Y = tf.placeholder(tf.float32, shape=(data.n, 1), name="tf_y_data")
        W, b, loss, opt_operation = _graph(tf, X, Y, data.n, case.sizes["rate"])
    sess, first_step = _session(tf, [opt_operation, loss], {X: x_data, Y: y_data})

    def run():
        for _index in range(int(total_iterations)):
            _, _loss_val_tmp = sess.run([opt_operation, loss], feed_dict={X: x_data, Y: y_data})
        W_val, b_val, loss_val = sess.run([W, b, loss], feed_dict={X: x_data, Y: y_data})
        return _results(case, data, W_val[0, 0], b_val[0], loss_val)

    return first_step, run


def session_constant(case):
    """One ``Session.run`` for each step, but the data are constants of the graph."""
    tf, data = _tensorflow_1(), _data(case)
    with tf.device(_device(tf, case)):
        X, Y = tf.constant(data.x_column, tf.float32), tf.constant(data.y_column, tf.float32)
        W, b, loss, opt_operation = _graph(tf, X, Y, data.n, case.sizes["rate"])
    sess, first_step = _session(tf, [opt_operation, loss], {})

    def run():
        for _ in range(case.sizes["iterations"]):
            sess.run([opt_operation, loss])
        W_val, b_val, loss_val = sess.run([W, b, loss])
        return _results(case, data, W_val[0, 0], b_val[0], loss_val)

    return first_step, run


def graph_loop(case):
    """The whole loop in the graph, one ``Session.run`` altogether."""
    tf, data = _tensorflow_1(), _data(case)
    with tf.device(_device(tf, case)):
        iterations = tf.placeholder(tf.int32, shape=())
        fetches = _loop(tf, case, data)(iterations)
    sess, first_step = _session(tf, fetches, {iterations: 1})

    def run():
        W, b, loss = sess.run(fetches, feed_dict={iterations: case.sizes["iterations"]})
        return _results(case, data, W[0, 0], b[0], loss)

    return first_step, run


def eager(case):
    """TensorFlow 2 as it comes: a tape and operations one by one."""
    return _stepwise(case, lambda tf, step: step)


def function_step(case):
    """One call of a ``tf.function`` for each step."""
    return _stepwise(case, lambda tf, step: tf.function(step))


def function_loop(case):
    """The whole loop in one ``tf.function``."""
    import tensorflow as tf

    return _whole_loop(tf, case, tf.function)


def xla(case):
    """The whole loop in one ``tf.function``, compiled by XLA with whatever this version offers for it."""
    import inspect

    import tensorflow as tf

    if "jit_compile" in inspect.signature(tf.function).parameters:
        return _whole_loop(tf, case, lambda loop: tf.function(loop, jit_compile=True))
    return _whole_loop(tf, case, lambda loop: tf.function(lambda count: tf.xla.experimental.compile(loop, [count])))


def _stepwise(case, decorate):
    import tensorflow as tf

    data, rate, device = _data(case), case.sizes["rate"], _device(tf, case)
    with tf.device(device):
        X, Y = tf.constant(data.x_column, tf.float32), tf.constant(data.y_column, tf.float32)
        W, b = tf.Variable(tf.zeros((1, 1))), tf.Variable(tf.zeros((1,)))

    def loss_now():
        return tf.reduce_sum((Y - (tf.matmul(X, W) + b)) ** 2 / data.n)

    def step():
        with tf.GradientTape() as tape:
            loss = loss_now()
        gradient_W, gradient_b = tape.gradient(loss, [W, b])
        W.assign_sub(rate * gradient_W)
        b.assign_sub(rate * gradient_b)
        return loss

    step = decorate(tf, step)

    def first_step():
        with tf.device(device):
            step()
            W.assign(tf.zeros((1, 1)))
            b.assign(tf.zeros((1,)))

    def run():
        with tf.device(device):
            for _ in range(case.sizes["iterations"]):
                step()
            return _results(case, data, W.numpy()[0, 0], b.numpy()[0], loss_now().numpy())

    return first_step, run


def _whole_loop(tf, case, compile_):
    data, device = _data(case), _device(tf, case)
    compiled = compile_(_loop(tf, case, data))

    def descend(iterations):
        with tf.device(device):
            return [each.numpy() for each in compiled(tf.constant(iterations))]

    def run():
        W, b, loss = descend(case.sizes["iterations"])
        return _results(case, data, W[0, 0], b[0], loss)

    return (lambda: descend(1)), run


def _loop(tf, case, data):
    """A function of the number of iterations that builds the whole descent as graph operations: W, b and the loss."""
    rate = case.sizes["rate"]

    def descend(count):
        X, Y = tf.constant(data.x_column, tf.float32), tf.constant(data.y_column, tf.float32)

        def loss_of(W, b):
            return tf.reduce_sum((Y - (tf.matmul(X, W) + b)) ** 2 / data.n)

        def step(index, W, b):
            gradient_W, gradient_b = tf.gradients(loss_of(W, b), [W, b])
            return index + 1, W - rate * gradient_W, b - rate * gradient_b

        _, W, b = tf.while_loop(lambda index, W, b: index < count, step, (0, tf.zeros((1, 1)), tf.zeros((1,))))
        return W, b, loss_of(W, b)

    return descend


def _tensorflow_1():
    import tensorflow.compat.v1 as tf

    tf.disable_eager_execution()
    return tf


def _graph(tf, X, Y, n_samples, rate):
    """The text's model and optimiser."""
    with tf.variable_scope("linear-regression", reuse=tf.AUTO_REUSE):
        W = tf.get_variable("weights", (1, 1), initializer=tf.constant_initializer(0.0))
        b = tf.get_variable("bias", (1,), initializer=tf.constant_initializer(0.0))
        Y_pred = tf.matmul(X, W) + b
        loss = tf.reduce_sum((Y - Y_pred) ** 2 / n_samples)
        opt_operation = tf.train.GradientDescentOptimizer(learning_rate=rate).minimize(loss, name="GDO")
    return W, b, loss, opt_operation


def _session(tf, fetches, feed):
    """A session with its variables set, and the first step in it, which sets them back."""
    sess, initialise = tf.Session(), tf.global_variables_initializer()
    sess.run(initialise)
    return sess, lambda: (sess.run(fetches, feed_dict=feed), sess.run(initialise))


def _device(tf, case):
    if case.levels["device"] == "gpu" and not tf.config.experimental.list_physical_devices("GPU"):
        raise RuntimeError("TensorFlow sees no GPU")
    return "/{}:0".format(case.levels["device"])


def _data(case):
    """The text's points, ``n`` of them on [0, 100), float64; ``x`` is standardised where ``inputs`` says so."""
    n = case.levels["n"]
    x = np.arange(100, step=100 / n)
    y = x + 20 * np.sin(x / 10) + 15
    mean, std = 0.0, 1.0
    if case.levels["inputs"] == "standardised":
        mean, std = np.mean(x), np.std(x)
        x = (x - mean) / std
    x_column, y_column = np.reshape(x, (n, 1)), np.reshape(y, (n, 1))
    return SimpleNamespace(n=n, x=x, y=y, x_column=x_column, y_column=y_column, mean=mean, std=std)


def _results(case, data, W, b, loss, exact=None):
    """What every variant returns; ``exact`` is the right (W, b), by default that of the descent it was told to make."""
    if exact is None:
        exact = _descended(data.x, data.y, case.sizes["rate"], case.sizes["iterations"])
    W, b = float(W), float(b)
    return {
        "W": W,
        "b": b,
        "loss": float(loss),
        "parameter_error": max(abs(found - right) / abs(right) for found, right in zip((W, b), exact)),
        "W_unscaled": W / data.std,
        "b_unscaled": b - data.mean * W / data.std,
    }


def _normal_equations(x, y):
    """``H`` and ``g`` with the gradient of the mean squared error ``H (W, b) - g``."""
    hessian = 2.0 * np.array([[np.mean(x * x), np.mean(x)], [np.mean(x), 1.0]])
    return hessian, 2.0 * np.array([np.mean(x * y), np.mean(y)])


def _optimum(x, y):
    """(W, b) with the least mean squared error."""
    return np.linalg.solve(*_normal_equations(x, y))


def _descended(x, y, rate, iterations):
    """(W, b) after exactly so many steps from zero, without taking them.

    One step is linear: ``t <- t - rate (H t - g)``, so that ``t_k = t* - (I - rate H)^k t*``; in the eigenvectors of
    H the matrix power is one of numbers.
    """
    optimum = _optimum(x, y)
    eigenvalues, vectors = np.linalg.eigh(_normal_equations(x, y)[0])
    left = vectors @ ((1.0 - rate * eigenvalues) ** iterations * (vectors.T @ optimum))
    return optimum - left
