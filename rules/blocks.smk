# Which blocks there are to be: the looks at the precision so far decide it.
LEAST = {(cell.scenario, cell.environment): cell.blocks.least for cell in STUDY.running}


def needs_of(scenario, environment):
    """The software and the data sets of the blocks of one scenario and environment."""
    data = [DATA[name] for name in STUDY.scenarios[scenario].data_of(PRESET)]
    return [PLACES[environment].software, PLACES[environment].record, *data]


# What was deleted since is made again, where a block is to be measured.
if workflow.is_main_process:
    for cell in LEAST:
        if not all(Path(needed).exists() for needed in needs_of(*cell)):
            R.prepared(*cell).unlink(missing_ok=True)


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
