"""From what was measured to a verdict on every claim."""
