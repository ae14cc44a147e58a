"""The typed records and configuration files that the parts of the pipeline pass to one another."""
