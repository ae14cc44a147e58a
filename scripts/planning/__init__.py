"""``make plan``: what a run would do, and what it would need, before anything is started."""
