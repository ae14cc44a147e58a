"""Runs one block inside a container: Python 3.7 syntax, the standard library and NumPy only.

``python3 -I scripts/runner --plan … --block 3 …`` measures a block, see :mod:`runner.command`.
"""
