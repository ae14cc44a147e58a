"""Two results beside each other, and the small one that is kept to compare with."""
