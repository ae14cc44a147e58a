"""From observations to estimates, verdicts, tables and figures. Knows nothing of TensorFlow or containers."""
