# Which blocks there are to be: the looks at the precision so far decide it.
LEAST = {(cell.scenario, cell.environment): cell.blocks.least for cell in STUDY.running}


def blocks_up_to(scenario, environment, measured):
    return [
        R.block(scenario, environment, block) for block in range(1, int(measured) + 1)
    ]


def looks_of(scenario, environment):
    """The looks at one scenario and environment: after so many blocks, and whether these are enough."""
    measured, looks = LEAST[scenario, environment], []
    while not FIRST_LOOK_ALONE:
        look = checkpoints.look_at_precision.get(
            scenario=scenario, environment=environment, measured=measured
        )
        looks.append(look.output[0])
        following = json.loads(Path(looks[-1]).read_text())["blocks"]
        if following == measured:
            break
        measured = following
    return looks


def blocks_of(scenario, environment):
    """The blocks of one scenario and environment, as many as the looks ask for."""
    looks = looks_of(scenario, environment)
    measured = Path(looks[-1]).stem if looks else LEAST[scenario, environment]
    return blocks_up_to(scenario, environment, measured)


def all_blocks(wildcards):
    return [block for cell in LEAST for block in blocks_of(*cell)]
