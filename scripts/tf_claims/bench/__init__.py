"""How good the pipeline itself is, as ratios inside one run: ``make bench``."""
