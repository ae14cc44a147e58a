"""Pure functions of numbers, each with the source of its formula."""
