BLOCKS = [
    f"{RESULTS}/observations/{cell.scenario}/{cell.environment}/{block}.jsonl"
    for cell in STUDY.running
    for block in range(1, cell.blocks + 1)
]
