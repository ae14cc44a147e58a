"""From a lock to the packed image, or the virtual environment."""
