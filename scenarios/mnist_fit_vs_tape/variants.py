"""MNIST trained by Keras' ``fit`` and by hand-written loops around ``tf.GradientTape``.

Each public function is a variant: its body is the set-up, and it returns ``(first_step, run)``, see README.md. The
loops differ by nothing but where ``tf.function`` sits: around a step, around a whole epoch, or nowhere.
"""

import os
import time
from types import SimpleNamespace

import numpy as np

IDX_IMAGES, IDX_LABELS = 0x803, 0x801  # magic numbers: unsigned bytes in three dimensions, in one
DROPOUT = 0.2
CHECKED_BATCHES = 5

# What the published texts chose beside the layers: batch, buffer of Dataset.shuffle, shape of one image.
TEXTS = {
    "dense": SimpleNamespace(batch=32, buffer=10000, image=(28, 28)),
    "conv": SimpleNamespace(batch=32, buffer=10000, image=(28, 28, 1)),
    "issue28714": SimpleNamespace(batch=64, buffer=1024, image=(784,)),
}


def fit(case):
    """``model.fit``, then ``model.evaluate`` once, both with their defaults."""
    work = _set_up(case)
    x_train, y_train, x_test, y_test = work.images
    training, testing = _fed(work, x_train, y_train, shuffled=True), _fed(work, x_test, y_test)
    work.model.compile(work.optimizer, "sparse_categorical_crossentropy", metrics=["accuracy"])

    def first_step():
        few, few_test = _few(work, x_train), _few(work, x_test)
        few_training = _fed(work, x_train[:few], y_train[:few], shuffled=True)
        start = time.perf_counter()
        work.model.fit(*few_training)
        work.first_s = time.perf_counter() - start
        work.model.evaluate(*_fed(work, x_test[:few_test], y_test[:few_test]))
        _forget(work)

    def run():
        clock, seconds = _clock(work.tf)
        history = work.model.fit(*training, epochs=work.epochs, callbacks=[clock])
        accuracy = float(work.model.evaluate(*testing)[1])
        losses = [float(each) for each in history.history["loss"]]
        # Keras 3 decides by itself whether the step is compiled with XLA: not where there is only a CPU.
        xla = bool(getattr(work.model, "jit_compile", False))
        return _results(work, losses, losses, accuracy, accuracy, seconds, xla)

    return first_step, _deletions_apart(work, run)


def tape_step(case):
    """A Python loop over the batches, each step one call of a ``tf.function``."""
    return _tape(case, lambda tf, step: _over_batches(tf.function(step)))


def tape_epoch(case):
    """The loop over the batches of an epoch inside one ``tf.function``."""
    return _tape(case, lambda tf, step: tf.function(_over_batches(step)))


def tape_eager(case):
    """A Python loop over the batches, each step run operation by operation."""
    return _tape(case, lambda tf, step: _over_batches(step))


def equal_losses(case):
    """No timing: do the methods, from the same weights on the same batches, find the same losses?

    They run as they do where they are timed, from the first step on, but on a few batches and without dropout, so that
    no randomness is left. ``loss_deviation_<network>`` is the largest relative deviation between two methods.
    """
    variants = {
        network: [method(_checked(case, network)) for method in (fit, tape_step, tape_epoch)] for network in TEXTS
    }

    def first_step():
        for methods in variants.values():
            for first, _ in methods:
                first()

    def run():
        losses = {network: [each()["loss"] for _, each in methods] for network, methods in variants.items()}
        return {"loss_deviation_" + network: _deviation(found) for network, found in losses.items()}

    return first_step, run


def _tape(case, decorate):
    """The published loop. ``decorate(tf, step)`` makes of a step one pass over a data set."""
    work = _set_up(case)
    tf, model, optimizer = work.tf, work.model, work.optimizer
    x_train, y_train, x_test, y_test = work.images
    train_ds, test_ds = _batches(work, x_train, y_train, shuffled=True), _batches(work, x_test, y_test)
    loss_object = tf.keras.losses.SparseCategoricalCrossentropy()
    train_loss, test_loss = tf.keras.metrics.Mean(), tf.keras.metrics.Mean()
    train_accuracy = tf.keras.metrics.SparseCategoricalAccuracy()
    test_accuracy = tf.keras.metrics.SparseCategoricalAccuracy()
    work.metrics = [train_loss, test_loss, train_accuracy, test_accuracy]

    def train_step(images, labels):
        with tf.GradientTape() as tape:
            predictions = model(images, training=True)
            loss = loss_object(labels, predictions)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        train_loss(loss)
        train_accuracy(labels, predictions)

    def test_step(images, labels):
        predictions = model(images, training=False)
        test_loss(loss_object(labels, predictions))
        test_accuracy(labels, predictions)

    train, test = decorate(tf, train_step), decorate(tf, test_step)

    def first_step():
        few, few_test = _few(work, x_train), _few(work, x_test)
        few_ds = _batches(work, x_train[:few], y_train[:few], shuffled=True)
        start = time.perf_counter()
        train(few_ds)
        work.first_s = time.perf_counter() - start
        test(_batches(work, x_test[:few_test], y_test[:few_test]))
        _forget(work)

    def run():
        losses, accuracies, seconds = [], [], []
        for epoch in range(work.epochs):
            start = time.perf_counter()
            train(train_ds)
            losses.append(float(train_loss.result()))
            seconds.append(time.perf_counter() - start)
            # The published text makes a test pass after every epoch, where fit's has one in all.
            if work.published or epoch == work.epochs - 1:
                test(test_ds)
                accuracies.append(float(test_accuracy.result()))
        return _results(work, _unmixed(losses), losses, _unmixed(accuracies)[-1], accuracies[-1], seconds, False)

    return first_step, _deletions_apart(work, run)


def _over_batches(step):
    def one_pass(dataset):
        for images, labels in dataset:
            step(images, labels)

    return one_pass


def _set_up(case):
    """Network with its first weights, optimizer and images of one variant."""
    tf = _tensorflow()
    seed = case.block_seed  # the same for all methods of a block
    tf.random.set_seed(seed)
    network, pipeline = case.levels["network"], case.levels["pipeline"]
    published = pipeline == "published"
    text = TEXTS[network]
    model = _model(tf, network, getattr(case, "dropout", DROPOUT))
    weights = _first_weights([each.shape for each in model.get_weights()], seed)
    model.set_weights(weights)
    optimizers = tf.keras.optimizers
    return SimpleNamespace(
        tf=tf,
        model=model,
        weights=weights,
        optimizer=optimizers.RMSprop(learning_rate=1e-3) if network == "issue28714" else optimizers.Adam(),
        images=_images(str(case.data), case.sizes, text.image, "float64" if published else "float32"),
        published=published,
        tuned=pipeline != "same_untuned",
        text=text,
        epochs=case.sizes["epochs"],
        seed=seed,
        metrics=[],
        first_s=0.0,
    )


def _tensorflow():
    """TensorFlow with the behaviour of version 2, which 1.15 carries too."""
    import tensorflow

    if not tensorflow.__version__.startswith("1."):
        return tensorflow
    tensorflow.compat.v1.enable_v2_behavior()
    return tensorflow.compat.v2


def _model(tf, network, dropout):
    """The three texts' networks: of 101,770, 2,770,634 and 55,050 parameters."""
    layers = tf.keras.layers
    if network == "dense":
        stack = [layers.Flatten(), layers.Dense(128, activation="relu"), layers.Dropout(dropout)]
    elif network == "conv":
        convolution = layers.Conv2D(32, 3, activation="relu")
        stack = [convolution, layers.Flatten(), layers.Dense(128, activation="relu")]
    else:
        stack = [layers.Dense(64, activation="relu"), layers.Dense(64, activation="relu")]
    inputs = tf.keras.Input(shape=TEXTS[network].image)
    outputs = inputs
    for layer in [*stack, layers.Dense(10, activation="softmax")]:
        outputs = layer(outputs)
    return tf.keras.Model(inputs, outputs)


def _first_weights(shapes, seed):
    """Keras' own defaults, drawn by NumPy to be the same in every version: Glorot's uniform kernels, biases of 0."""
    chance = np.random.RandomState(seed)
    weights = []
    for shape in shapes:
        if len(shape) == 1:
            weights.append(np.zeros(shape, np.float32))
        else:
            field = int(np.prod(shape[:-2]))
            limit = np.sqrt(6.0 / (field * (shape[-2] + shape[-1])))
            weights.append(chance.uniform(-limit, limit, shape).astype(np.float32))
    return weights


def _images(folder, sizes, axes, dtype):
    """Training and test images, scaled to 0..1 in the shape the network wants, with their labels."""
    arrays = []
    for name, rows in (("train", sizes["train_images"]), ("t10k", sizes["test_images"])):
        stem = os.path.join(folder, "mnist", name)
        pixels = _read_idx(stem + "-images-idx3-ubyte", IDX_IMAGES, rows)
        arrays.append((pixels / 255.0).astype(dtype).reshape((rows, *axes)))
        arrays.append(_read_idx(stem + "-labels-idx1-ubyte", IDX_LABELS, rows).astype(np.int64))
    return arrays


def _read_idx(path, magic, rows):
    """The first ``rows`` entries of an idx file of unsigned bytes.

    :raises ValueError: for another kind of file, or one with fewer entries.
    """
    with open(path, "rb") as file:
        head = np.frombuffer(file.read(4 * (1 + magic % 256)), ">i4")
        if len(head) < 2 or head[0] != magic:
            raise ValueError("{}: not an idx file of the expected kind".format(path))
        entry = int(np.prod(head[2:], dtype=np.int64))
        content = np.frombuffer(file.read(rows * entry), np.uint8)
    if rows > head[1] or len(content) < rows * entry:
        raise ValueError("{}: fewer than {} entries".format(path, rows))
    return content.reshape((rows, *head[2:]))


def _batches(work, images, labels, shuffled=False):
    """The data set that a method gets.

    To give every method the same batches, the order is shuffled again in each epoch but the same: Keras creates more
    iterators than it uses in some versions, and with them a new order would come at another place in each method.
    """
    dataset = work.tf.data.Dataset.from_tensor_slices((images, labels))
    if shuffled:
        dataset = dataset.shuffle(work.text.buffer, seed=work.seed, reshuffle_each_iteration=work.published)
    dataset = dataset.batch(work.text.batch)
    return dataset if work.tuned else dataset.with_options(_untuned(work.tf))


def _untuned(tf):
    """Options by which tf.data does not tune itself: no thread is there that an iterator's deletion could wait for."""
    options = tf.data.Options()
    if hasattr(options, "autotune"):
        options.autotune.enabled = False
    else:  # before TensorFlow 2.7
        options.experimental_optimization.autotune = False
    return options


def _fed(work, images, labels, shuffled=False):
    """What ``fit`` and ``evaluate`` get: arrays as published, which Keras shuffles and batches, else the data set."""
    return (images, labels) if work.published else (_batches(work, images, labels, shuffled),)


def _few(work, images):
    """Rows that make every shape of a batch occur: a full one and, where there is one, the smaller last one."""
    return min(len(images), work.text.batch + len(images) % work.text.batch)


def _forget(work):
    """Weights, optimizer and metrics as they were before the first step."""
    work.model.set_weights(work.weights)
    variables = work.optimizer.variables
    for variable in variables() if callable(variables) else variables:
        if "learning_rate" not in variable.name:
            variable.assign(np.zeros_like(variable.numpy()))
    for metric in work.metrics:
        for variable in metric.variables:
            variable.assign(np.zeros_like(variable.numpy()))


def _clock(tf):
    """A callback, and the list that it fills with the wall times of the epochs (s)."""
    started, seconds = [], []
    clock = tf.keras.callbacks.LambdaCallback(
        on_epoch_begin=lambda epoch, logs: started.append(time.perf_counter()),
        on_epoch_end=lambda epoch, logs: seconds.append(time.perf_counter() - started[-1]),
    )
    return clock, seconds


def _deletions_apart(work, run):
    """``run`` with the times of all iterators' deletions, and of all else, beside its results.

    Keras deletes its iterators at another place in each version. So the class of the iterators is given a ``__del__``
    that empties them under a clock; nothing is done in a step. A loop inside a ``tf.function`` has no such iterator:
    neither time is recorded then.
    """
    seconds = []

    def delete(iterator):
        start = time.perf_counter()
        vars(iterator).clear()
        seconds.append(time.perf_counter() - start)

    def timed():
        type(iter(work.tf.data.Dataset.range(1))).__del__ = delete
        del seconds[:]
        start = time.perf_counter()
        results = run()
        whole, deleting = time.perf_counter() - start, sum(seconds)
        return dict(results, steps_wall_s=whole - deleting, iterator_wall_s=deleting) if seconds else results

    return timed


def _unmixed(running):
    """The mean of each epoch from the running means over all epochs so far, which a metric never reset gives."""
    sums = [epoch * mean for epoch, mean in enumerate(running, start=1)]
    return [float(after - before) for before, after in zip([0.0, *sums], sums)]


def _deviation(losses):
    """The largest relative deviation between any two of the lists of losses, epoch by epoch."""
    return max(max(each) / min(each) - 1 for each in zip(*losses))


def _checked(case, network):
    sizes = {"train_images": CHECKED_BATCHES * TEXTS[network].batch, "test_images": 32, "epochs": 2}
    levels = dict(case.levels, network=network, pipeline="same")
    return SimpleNamespace(levels=levels, sizes=sizes, block_seed=case.block_seed, data=case.data, dropout=0.0)


def _results(work, losses, printed_losses, accuracy, printed_accuracy, seconds, xla):
    """What all methods define alike: mean loss of each epoch's batches, accuracy after the last; and what they print.

    ``train_s`` is the epochs alone; ``total_s`` has the first call too, with all that is traced and compiled.

    :raises ArithmeticError: where the training diverged.
    """
    if not np.all(np.isfinite(losses)):
        raise ArithmeticError("the training diverged: losses of the epochs {}".format(losses))
    return {
        "loss": losses,
        "printed_loss": printed_losses,
        "test_accuracy": accuracy,
        "printed_test_accuracy": printed_accuracy,
        "parameters": work.model.count_params(),
        "epoch_wall_s": seconds,
        "train_s": sum(seconds),
        "total_s": work.first_s + sum(seconds),
        "data_shape": list(work.images[0].shape),
        "xla": xla,
    }
