"""What people read: the page of a results folder."""
