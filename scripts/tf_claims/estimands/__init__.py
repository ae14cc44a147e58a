"""The kinds of claim, one file each."""
