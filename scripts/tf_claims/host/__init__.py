"""The machine at hand: its CPU, GPU, cache, locks and tools."""
