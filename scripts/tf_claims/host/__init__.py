"""This machine: its CPU, GPU, cache, locks and tools."""
