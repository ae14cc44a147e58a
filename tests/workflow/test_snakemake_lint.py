"""`snakemake --lint` has nothing to say, but for what does not apply here."""

import subprocess
import sys

# Rules without a container run in the host's virtual environment, which is locked by hash.
NOT_APPLICABLE = "* Specify a conda environment or container for each rule.:"


def test_the_workflow_is_clean():
    command = [sys.executable, "-m", "snakemake", "--cores", "1", "--sdm", "apptainer", "--lint"]
    said = subprocess.run(command, capture_output=True, text=True).stderr
    titles = [line.strip() for line in said.splitlines() if line.startswith("    * ")]
    assert NOT_APPLICABLE in titles  # it did look
    assert [title for title in titles if title != NOT_APPLICABLE] == [], said
