"""Tools and software stacks: Apptainer, container builders, locks, wheels, bases and images."""
