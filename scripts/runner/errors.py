"""A runner that cannot measure says why in one message and ends with a code."""

BAD_PLAN = 2
WRONG_PLACE = 3
INTERRUPTED = 130


class Refusal(Exception):
    """What is wrong and how to put it right; ``code`` is the exit code of the runner."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code
