"""The plan of a block, made on the host by ``tf_claims.model.plan``."""

import ast
import glob
import json
import os
import random
from typing import Any, Dict, List, Set

from runner.checksum import sha256
from runner.errors import BAD_PLAN, Refusal
from runner.seeds import derive

Plan = Dict[str, Any]
FIELDS = "scenario environment preset seed timeout_s code code_sha256 data results variants".split()


def read_plan(path: str) -> Plan:
    """The plan in a JSON file, whose functions all exist.

    :raises Refusal: naming the file, what is wrong in it and the fix.
    """
    try:
        with open(path) as file:
            plan: Plan = json.load(file)
    except (OSError, ValueError) as error:
        raise Refusal("{}: no readable plan ({}); delete it and make it again".format(path, error), BAD_PLAN) from None
    missing = [name for name in FIELDS if name not in plan]
    if plan.get("schema") != 1 or missing:
        what = "field {} missing".format(missing[0]) if missing else "schema is not 1"
        raise Refusal("{}: {}; delete it and make it again".format(path, what), BAD_PLAN)
    known = functions_in(plan["code"])
    if sha256(plan["code"], "{}: cannot be read ({})") != plan["code_sha256"]:
        raise Refusal("{}: is no longer the code that {} was made for; run again".format(plan["code"], path), BAD_PLAN)
    for variant in plan["variants"]:
        if variant["function"] not in known:
            raise Refusal(
                "{}: function {!r} of variant {!r} does not exist there; it has: {}".format(
                    plan["code"], variant["function"], label(variant["levels"]), ", ".join(sorted(known))
                ),
                BAD_PLAN,
            )
    return plan


def functions_in(path: str) -> Set[str]:
    """The public functions of a Python file, without importing it (TensorFlow would be imported with it).

    :raises Refusal: where the file cannot be read or is no Python.
    """
    try:
        with open(path) as file:
            tree = ast.parse(file.read(), path)
    except (OSError, SyntaxError) as error:
        raise Refusal("{}: cannot be read as Python: {}".format(path, error), BAD_PLAN) from None
    return {each.name for each in tree.body if isinstance(each, ast.FunctionDef) and not each.name.startswith("_")}


def order(plan: Plan, block: int) -> List[Dict[str, Any]]:
    """The variants of the plan in the random order of one block, which the plan's seed fixes; each twice, if asked."""
    variants: List[Dict[str, Any]] = plan["variants"] * (2 if plan.get("twice") else 1)
    random.Random(block_seed(plan, block)).shuffle(variants)
    return variants


def narrowed(plan: Plan, looks: str, block: int) -> Plan:
    """The plan with those variants alone that the last look before a block still asks for; as it is before any look.

    :param looks: the folder of the looks, of which ``tf_claims.verdicts.look`` writes one as ``<blocks so far>.json``
    :raises Refusal: where the look cannot be read.
    """
    names = [os.path.basename(path)[: -len(".json")] for path in glob.glob(os.path.join(glob.escape(looks), "*.json"))]
    earlier = [int(name) for name in names if name.isdigit() and int(name) < block]
    if not earlier:
        return plan
    path = os.path.join(looks, "{}.json".format(max(earlier)))
    try:
        with open(path) as file:
            asked = json.load(file)["variants"]
    except (OSError, ValueError, KeyError) as error:
        raise Refusal("{}: no readable look ({!r}); delete it and run again".format(path, error), BAD_PLAN) from None
    variants = [each for each in plan["variants"] if label(each["levels"]) in asked]
    return dict(plan, variants=variants or plan["variants"])


def block_seed(plan: Plan, block: int) -> int:
    """The seed that all variants of a block have in common: of their order, and of initial weights to be shared."""
    return derive(plan["seed"], plan["scenario"], plan["environment"], block)


def variant_seed(plan: Plan, block: int, levels: Dict[str, Any], attempt: int = 1) -> int:
    """The seed that one variant's process gets in one block: of what is its own, such as its memory layout."""
    again = () if attempt == 1 else (attempt,)
    return derive(plan["seed"], plan["scenario"], plan["environment"], block, label(levels), *again)


def label(levels: Dict[str, Any]) -> str:
    """A variant's name for people: ``session_feed n=1000 raw cpu``."""
    return " ".join(
        level if isinstance(level, str) else "{}={}".format(factor, level) for factor, level in levels.items()
    )
