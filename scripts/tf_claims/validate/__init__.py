"""The proof of the harness: simulations with known truth, A/A comparisons and planted slow-downs."""
