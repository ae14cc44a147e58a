"""One look at the blocks of a scenario in an environment: are they enough, or how many are there to be?

``python -m tf_claims.verdicts.look --preset quick --scenario NAME --environment NAME --output look.json FILE...``
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from tf_claims.cells.measurements import arrange
from tf_claims.cells.tidy import tidy
from tf_claims.host.gpu import why_not
from tf_claims.model.errors import exit_clearly
from tf_claims.model.files import write_whole
from tf_claims.model.study import plan_study
from tf_claims.verdicts.judge import judge, look_at


def main() -> None:
    parser = argparse.ArgumentParser(description="Whether a scenario has enough blocks in an environment.")
    parser.add_argument("--preset", required=True)
    parser.add_argument("--scenario", required=True)
    parser.add_argument("--environment", required=True)
    parser.add_argument("--output", type=Path, required=True, help="the JSON file to write")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    options = parser.parse_args()
    study = plan_study(options.preset, why_not, [options.environment], [options.scenario])
    table = tidy(options.files)
    cells = arrange(options.files[0].parent, table, set(table.column_names), study)
    look = look_at(study, cells, judge(study, cells))[options.scenario, options.environment]
    write_whole(options.output, json.dumps(look._asdict(), indent=1) + "\n")


if __name__ == "__main__":
    exit_clearly(main)
