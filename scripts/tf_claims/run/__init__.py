"""Planning a run, and running it by Snakemake."""
