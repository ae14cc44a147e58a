"""Start of the runner and, with ``--variant`` or ``--calibrate``, of the fresh processes that it spawns."""

import os
import sys

# Python put this very folder on the path, where its modules would hide others of the same name.
sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

if sys.argv[1:2] == ["--variant"]:
    from runner.variant import main
elif sys.argv[1:2] == ["--calibrate"]:
    from runner.calibration import main
else:
    from runner.command import main

sys.exit(main(sys.argv[1:]))
