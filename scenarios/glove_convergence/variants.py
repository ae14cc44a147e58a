"""The text's GloVe model, trained by ``fit`` and by a GradientTape loop: two shapes of labels, rows in four orders.

Each public function is a variant: its body is the set-up, and it returns ``(first_step, run)``, see README.md. The
model, its loss and the loops are the text's; README.md lists what differs.
"""

import time

import numpy as np

CHUNK = 1 << 16
"""Rows evaluated at once: keeps the evaluation within some hundred MB."""
CHECK_BATCH = 32
CHECK_STEPS = 8
PUBLISHED_TAPE = (0.905, 0.352, 0.285, 0.282, 0.275)
PUBLISHED_SHUFFLING = (0.918, 0.634, 0.518, 0.458, 0.421)


def fit(case):
    """The text's ``compile`` and ``fit``."""
    tf, (pairs, counts) = _tensorflow(), _rows(case)
    train_ds = _dataset(tf, case, pairs, counts)
    glove_model, optimizer = _model(tf, case, pairs), tf.keras.optimizers.Adam()
    glove_model.compile(optimizer, glove_model.glove_loss)
    start = glove_model.get_weights()

    def first_step():
        glove_model.fit(train_ds.take(1), verbose=0)
        _rewind(glove_model, start, optimizer)

    def run():
        epochs = _Epochs(glove_model, pairs, counts)
        epochs.start_clock()
        glove_model.fit(train_ds, epochs=case.sizes["epochs"], verbose=0, callbacks=[_end_of_epoch(tf, epochs)])
        return epochs.results()

    return first_step, run


def tape(case):
    """The text's loop: one ``tf.function`` for a step, a metric that is reset after each epoch."""
    tf, (pairs, counts) = _tensorflow(), _rows(case)
    train_ds = _dataset(tf, case, pairs, counts)
    glove_model, optimizer = _model(tf, case, pairs), tf.keras.optimizers.Adam()
    train_loss = tf.keras.metrics.Mean(name="train_loss")
    train_step = _train_step(tf, glove_model, optimizer, [train_loss])
    start = glove_model.get_weights()

    def first_step():
        for examples, labels in train_ds.take(1):
            train_step(examples, labels)
        _rewind(glove_model, start, optimizer)
        _reset(train_loss)

    def run():
        epochs = _Epochs(glove_model, pairs, counts)
        epochs.start_clock()
        for _ in range(case.sizes["epochs"]):
            for _, (examples, labels) in train_ds.enumerate():
                train_step(examples, labels)
            epochs.end(train_loss.result())
            _reset(train_loss)
        return epochs.results()

    return first_step, run


def tape_never_reset(case):
    """The first answer's cure: the data set repeated, reshuffled, in one loop, the metric never reset."""
    tf, (pairs, counts) = _tensorflow(), _rows(case)
    train_ds = _dataset(tf, case, pairs, counts).repeat(case.sizes["epochs"])
    glove_model, optimizer = _model(tf, case, pairs), tf.keras.optimizers.Adam()
    train_loss = tf.keras.metrics.Mean(name="train_loss")
    epoch_loss = tf.keras.metrics.Mean(name="epoch_loss")  # ours: what a metric that is reset would have shown
    train_step = _train_step(tf, glove_model, optimizer, [train_loss, epoch_loss])
    steps = len(counts) // case.sizes["batch"]
    start = glove_model.get_weights()

    def first_step():
        for examples, labels in train_ds.take(1):
            train_step(examples, labels)
        _rewind(glove_model, start, optimizer)
        _reset(train_loss)
        _reset(epoch_loss)

    def run():
        epochs, seen = _Epochs(glove_model, pairs, counts), []
        epochs.start_clock()
        for ix, (examples, labels) in train_ds.enumerate():
            train_step(examples, labels)
            if (int(ix) + 1) % steps == 0:
                epochs.end(train_loss.result())
                seen.append(float(epoch_loss.result()))
                _reset(epoch_loss)
        deviation = _deviation(seen, epochs.printed)
        return dict(epochs.results(), epoch_loss=seen, running_mean_deviation=deviation)

    return first_step, run


def checks(case):
    """No training: what the losses see, whether ``fit`` and tape do the same, and the published columns' arithmetic."""
    tf, (pairs, counts) = _tensorflow(), _rows(case)
    chosen = np.random.RandomState(case.block_seed).permutation(len(counts))[: CHECK_BATCH * CHECK_STEPS]
    pairs, flat = pairs[chosen], counts[chosen]
    batches, column_batches = (
        tf.data.Dataset.from_tensor_slices((pairs, _labels(flat, shape))).batch(CHECK_BATCH, drop_remainder=True)
        for shape in ("flat", "column")
    )

    def run():
        same_order = _same_order(tf)  # before any seed is set, as in the text
        by_tape = _losses_by_tape(tf, _model(tf, case, pairs), column_batches)
        by_fit = _losses_by_fit(tf, _model(tf, case, pairs), column_batches)
        return {
            "same_order": same_order,
            "columns_function": _columns_in_fit(tf, _model(tf, case, pairs), "function", batches),
            "columns_bound_method": _columns_in_fit(tf, _model(tf, case, pairs), "bound_method", batches),
            "columns_subclass": _columns_in_fit(tf, _model(tf, case, pairs), "subclass", batches),
            "columns_tape": _columns_in_tape(tf, _model(tf, case, pairs), batches),
            "batch_loss_difference": float(np.max(np.abs(np.divide(by_fit, by_tape) - 1))),
            "published_deviation": _deviation(PUBLISHED_TAPE, PUBLISHED_SHUFFLING),
        }

    return lambda: None, run


def _tensorflow():
    """TensorFlow as a module that behaves like version 2, whichever it is."""
    import tensorflow

    if tensorflow.__version__.startswith("1."):
        tensorflow.compat.v2.enable_v2_behavior()
        return tensorflow.compat.v2
    return tensorflow


def _rows(case):
    """Pairs of words (N, 2), int64, and their counts (N,), float32, among the most frequent words, in the file's order.

    :raises ValueError: where the file has fewer words than the preset asks for.
    """
    name = "{}-glove.npz".format(case.sizes["corpus"])
    with np.load(str(case.data / name)) as file:
        rows, columns, values = file["rows"], file["columns"], file["values"]
        known, wanted = len(file["vocabulary"]), case.sizes["vocabulary"]
    if wanted > known:
        raise ValueError("{} has {} words where {} are asked for; make it of a longer text".format(name, known, wanted))
    kept = (rows < wanted) & (columns < wanted)
    pairs = np.hstack([rows[kept].reshape(-1, 1), columns[kept].reshape(-1, 1)]).astype(np.int64)
    return pairs, values[kept].astype(np.float32)


def _dataset(tf, case, pairs, counts):
    """The text's data set, with the labels and in the order of the case's levels."""
    if case.levels["order"] == "permuted_buffer":
        permutation = np.random.RandomState(case.block_seed).permutation(len(counts))
        pairs, counts = pairs[permutation], counts[permutation]
    dataset = tf.data.Dataset.from_tensor_slices((pairs, _labels(counts, case.levels["labels"])))
    if case.levels["order"] == "not_reshuffled":
        dataset = dataset.shuffle(case.sizes["buffer"], reshuffle_each_iteration=False)
    elif case.levels["order"] != "none":
        dataset = dataset.shuffle(case.sizes["buffer"])
    return dataset.batch(case.sizes["batch"], drop_remainder=True)


def _labels(counts, shape):
    """The counts as (N,) for ``flat`` and as (N, 1) for ``column``."""
    return counts.reshape(-1, 1) if shape == "column" else counts


def _noting_model(tf):
    """The class of the model: the text's, and a subclass whose loss tells the shape of what it averages."""
    keras, layers = tf.keras, tf.keras.layers

    class GloveModel(keras.Model):
        """The text's, word for word."""

        def __init__(self, vocab_size, dim=100, a=3 / 4, x_max=100):
            super(GloveModel, self).__init__()

            self.vocab_size = vocab_size
            self.dim = dim
            self.a = a
            self.x_max = x_max

            self.target_embedding = layers.Embedding(
                input_dim=self.vocab_size, output_dim=self.dim, input_length=1, name="target_embedding"
            )
            self.target_bias = layers.Embedding(
                input_dim=self.vocab_size, output_dim=1, input_length=1, name="target_bias"
            )

            self.context_embedding = layers.Embedding(
                input_dim=self.vocab_size, output_dim=self.dim, input_length=1, name="context_embedding"
            )
            self.context_bias = layers.Embedding(
                input_dim=self.vocab_size, output_dim=1, input_length=1, name="context_bias"
            )

            self.dot_product = layers.Dot(axes=-1, name="dot")

            self.prediction = layers.Add(name="add")
            self.step = 0

        def call(self, inputs):
            target_ix = inputs[:, 0]
            context_ix = inputs[:, 1]

            target_embedding = self.target_embedding(target_ix)
            target_bias = self.target_bias(target_ix)

            context_embedding = self.context_embedding(context_ix)
            context_bias = self.context_bias(context_ix)

            dot_product = self.dot_product([target_embedding, context_embedding])
            prediction = self.prediction([dot_product, target_bias, context_bias])

            return prediction

        def glove_loss(self, y_true, y_pred):
            weight = tf.math.minimum(tf.math.pow(y_true / self.x_max, self.a), 1.0)
            loss_value = tf.math.reduce_mean(weight * tf.math.pow(y_pred - tf.math.log(y_true), 2.0))

            return loss_value

    class Noting(GloveModel):
        """The text's model; each time its loss is traced, it notes how many columns the tensor has that it averages."""

        inner_columns = None

        def glove_loss(self, y_true, y_pred):
            self.inner_columns = tf.broadcast_static_shape(y_true.shape, y_pred.shape).as_list()[1]
            return super(Noting, self).glove_loss(y_true, y_pred)

    return Noting


def _model(tf, case, pairs):
    """The model, its weights drawn as Keras draws them, but the same in every variant of a block."""
    tf.random.set_seed(case.block_seed)  # the order in which ``shuffle`` gives the rows
    model = _noting_model(tf)(case.sizes["vocabulary"], dim=case.sizes["dimension"])
    model(tf.constant(pairs[:1]))
    draw = np.random.RandomState(case.block_seed)
    for layer in _embeddings(model):
        layer.set_weights([draw.uniform(-0.05, 0.05, weight.shape) for weight in layer.get_weights()])
    return model


def _embeddings(model):
    return [model.target_embedding, model.target_bias, model.context_embedding, model.context_bias]


def _train_step(tf, glove_model, optimizer, metrics):
    """The text's step; each of ``metrics`` gets the batch's loss."""

    @tf.function
    def train_step(examples, labels):
        with tf.GradientTape() as tape:
            predictions = glove_model(examples)
            loss = glove_model.glove_loss(labels, predictions)

        gradients = tape.gradient(loss, glove_model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, glove_model.trainable_variables))

        for metric in metrics:
            metric(loss)

    return train_step


def _reset(metric):
    """``reset_states`` as the text has it; Keras 3 knows it as ``reset_state``."""
    (metric.reset_states if hasattr(metric, "reset_states") else metric.reset_state)()


def _rewind(model, weights, optimizer):
    """Model and optimizer as before the first step."""
    model.set_weights(weights)
    variables = optimizer.variables() if callable(optimizer.variables) else optimizer.variables
    for variable in variables:
        if "learning_rate" not in variable.name:
            variable.assign(variable * 0)


class _Epochs:
    """What is recorded after each epoch. The clock stands still while the correct loss is evaluated."""

    def __init__(self, model, pairs, counts):
        self._model, self._pairs, self._counts = model, pairs, counts
        self._initial_loss = self._evaluate()[0]
        self.printed, self._correct, self._deviations, self._seconds = [], [], [], []
        self._since = 0.0

    def start_clock(self):
        self._since = time.perf_counter()

    def end(self, printed):
        """An epoch is over, and the method prints ``printed`` as its loss."""
        printed = float(printed)  # waits for the last step
        self._seconds.append(time.perf_counter() - self._since)
        self.printed.append(printed)
        loss, deviation = self._evaluate()
        self._correct.append(loss)
        self._deviations.append(deviation)
        self.start_clock()

    def results(self):
        return {
            "printed_loss": self.printed,
            "correct_loss": self._correct,
            "initial_loss": self._initial_loss,
            "prediction_std": self._deviations,
            "epoch_seconds": self._seconds,
            "epoch_s": float(np.median(self._seconds)),
            "inner_columns": self._model.inner_columns,
            "finite": int(np.isfinite(self.printed + self._correct).all()),
        }

    def _evaluate(self):
        model = self._model
        weights = [layer.get_weights()[0] for layer in _embeddings(model)]
        return _evaluate(weights, self._pairs, self._counts, model.a, model.x_max)


def _end_of_epoch(tf, epochs):
    """The callback by which ``fit`` tells ``epochs`` that one is over."""
    return tf.keras.callbacks.LambdaCallback(on_epoch_end=lambda epoch, logs: epochs.end(logs["loss"]))


def _evaluate(weights, pairs, counts, a, x_max):
    """The text's loss, each prediction against its own count, and the predictions' standard deviation, over all rows.

    By NumPy in double precision, the same for every method. ``weights``: target embedding and bias, context
    embedding and bias.
    """
    target, target_bias, context, context_bias = weights
    predictions = np.empty(len(counts))
    for start in range(0, len(counts), CHUNK):
        rows, columns = pairs[start : start + CHUNK].T
        products = np.einsum("nd,nd->n", target[rows], context[columns])
        predictions[start : start + CHUNK] = products + target_bias[rows, 0] + context_bias[columns, 0]
    counts = counts.astype(np.float64)
    weight = np.minimum((counts / x_max) ** a, 1)
    return float(np.mean(weight * (predictions - np.log(counts)) ** 2)), float(np.std(predictions))


def _deviation(losses, printed):
    """The largest deviation of ``printed`` from the running mean of ``losses`` since the first epoch."""
    running = np.cumsum(losses) / np.arange(1, len(losses) + 1)
    return float(np.max(np.abs(running - printed)))


def _columns_in_fit(tf, model, kind, batches):
    """Columns of the tensor inside the loss that ``fit`` gets as a function, a bound method or a ``Loss`` subclass."""

    def function(y_true, y_pred):
        return model.glove_loss(y_true, y_pred)

    class Subclass(tf.keras.losses.Loss):
        def call(self, y_true, y_pred):
            return model.glove_loss(y_true, y_pred)

    loss = {"function": function, "bound_method": model.glove_loss, "subclass": Subclass()}[kind]
    model.compile(tf.keras.optimizers.Adam(), loss)
    model.fit(batches.take(1), verbose=0)
    return model.inner_columns


def _columns_in_tape(tf, model, batches):
    step = _train_step(tf, model, tf.keras.optimizers.Adam(), [])
    for examples, labels in batches.take(1):
        step(examples, labels)
    return model.inner_columns


def _losses_by_tape(tf, model, batches):
    """The loss of each batch, in steps by the tape."""
    last = tf.keras.metrics.Mean()
    step = _train_step(tf, model, tf.keras.optimizers.Adam(), [last])
    losses = []
    for examples, labels in batches:
        step(examples, labels)
        losses.append(float(last.result()))
        _reset(last)
    return losses


def _losses_by_fit(tf, model, batches):
    """The loss of each batch, in steps by ``fit``: epochs of one step each, because it prints means over an epoch."""
    model.compile(tf.keras.optimizers.Adam(), model.glove_loss)
    history = model.fit(batches, epochs=CHECK_STEPS, steps_per_epoch=1, verbose=0)
    return history.history["loss"]


def _same_order(tf):
    """The share of 1000 rows that ``shuffle`` puts at the same place in two passes over the text's kind of data set."""
    dataset = tf.data.Dataset.range(1000).shuffle(1000)
    first, second = ([int(row) for row in dataset] for _ in range(2))
    return float(np.mean(np.equal(first, second)))
