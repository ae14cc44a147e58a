"""Data sets by their content: fetched from whatever source has them, checked, kept in the cache; GloVe's counts."""
