"""Published performance claims about TensorFlow, put to the test: from images and blocks to verdicts."""
