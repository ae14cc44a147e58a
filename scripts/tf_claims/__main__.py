"""``python -m tf_claims``: the same as ``tf-claims``."""

from tf_claims.cli import main

main()
