"""Loops that descend a gradient, each under five names: twice as it is, and with three planted slow-downs.

Each public function is a kind of loop: its body is the set-up, and it returns ``(first_step, run)``, see README.md.
"""

import random
import time

import numpy as np

CHUNKS = 200
SLOW_DOWN = {"a": 0.0, "b": 0.0, "slow_3": 0.03, "slow_5": 0.05, "slow_10": 0.10}
FEATURES = 20


def numpy(case):
    """The published text's kind of loop: a line, all in NumPy."""
    x, y = _line(case)
    state = {"W": 0.0, "b": 0.0}

    def step():
        error = state["W"] * x + state["b"] - y
        state["W"] -= 0.1 * 2.0 * np.mean(error * x)
        state["b"] -= 0.1 * 2.0 * np.mean(error)

    return _timed(case, step, lambda: state["W"])


def matrix(case):
    """Several features: two products of a matrix and a vector, too small for BLAS to use a second thread."""
    chance = np.random.default_rng(1) if hasattr(np.random, "default_rng") else np.random.RandomState(1)
    x = chance.standard_normal((case.levels["n"], FEATURES))
    y = x.dot(np.full(FEATURES, 3.0))
    state = {"w": np.zeros(FEATURES)}

    def step():
        state["w"] = state["w"] - 0.1 * 2.0 / len(x) * x.T.dot(x.dot(state["w"]) - y)

    return _timed(case, step, lambda: state["w"][0])


def python(case):
    """A line, in Python alone."""
    x, y = (each.tolist() for each in _line(case))
    state = {"W": 0.0, "b": 0.0}

    def step():
        W, b = state["W"], state["b"]
        errors = [W * each + b - wanted for each, wanted in zip(x, y)]
        state["W"] = W - 0.1 * 2.0 * sum(error * each for error, each in zip(errors, x)) / len(x)
        state["b"] = b - 0.1 * 2.0 * sum(errors) / len(x)

    return _timed(case, step, lambda: state["W"])


def tensorflow(case):
    """A line, one eager step with a ``GradientTape`` at a time."""
    import tensorflow as tf

    if tf.__version__.startswith("1."):
        tf.compat.v1.enable_v2_behavior()
    x, y = (each.astype(np.float32) for each in _line(case))
    X, Y = tf.constant(x), tf.constant(y)
    W, b = tf.Variable(0.0), tf.Variable(0.0)

    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(W * X + b - Y))
        of_W, of_b = tape.gradient(loss, [W, b])
        W.assign_sub(0.1 * of_W)
        b.assign_sub(0.1 * of_b)

    return _timed(case, step, W.numpy)


def _line(case):
    """Points of y = 3 x + 1, x from -1 to 1, in an order of their own."""
    x = np.linspace(-1.0, 1.0, case.levels["n"])
    random.Random(1).shuffle(x)
    return x, 3.0 * x + 1.0


def _timed(case, step, answer):
    """``step`` often enough, in chunks; after each a busy loop as long as the share of it that is planted.

    ``planted`` is the share that really was added.
    """
    share, repeats = SLOW_DOWN[case.levels["name"]], max(1, case.sizes["iterations"] // CHUNKS)
    clock = time.perf_counter

    def run():
        worked = waited = 0.0
        for _ in range(min(CHUNKS, case.sizes["iterations"])):
            start = clock()
            for _ in range(repeats):
                step()
            end = clock()
            now, until = end, end + share * (end - start)
            while now < until:
                now = clock()
            worked += end - start
            waited += now - end
        return {"planted": waited / worked, "W": float(answer())}

    return step, run
