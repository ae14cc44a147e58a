"""Everything that is said, in the reader's language, from one catalogue: ``messages.yaml``.

A placeholder takes a number, a name, a :class:`Text` in two languages, or a :class:`Reason`, which is a message itself.
Numbers are written by :mod:`tf_claims.words.numbers`; ``{share:percent}`` names another way of writing than the usual.
"""

from __future__ import annotations

import math
import string
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from markupsafe import Markup, escape
from pydantic import RootModel

from tf_claims.model.files import Strict, read_yaml
from tf_claims.model.reason import Reason, Text
from tf_claims.words.metrics import metric_kind
from tf_claims.words.numbers import exact, number, percent_of, published_number, signed_percent, whole_percent

Language = Literal["en", "ja"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
CATALOGUE = Path(__file__).with_suffix(".yaml")
_WAYS: dict[str, Callable[[Any], str]] = {
    "exact": exact,
    "long": partial(number, digits=6),  # a known value is met or missed in a late digit
    "published": published_number,
    "percent": whole_percent,
    "percent_of": percent_of,
    "signed_percent": signed_percent,
}


class Range(NamedTuple):
    """Numbers from ``low`` to ``high`` as one value of a message; one number where both are written alike."""

    low: float
    high: float


class Message(Strict):
    """One text in each language, with the same ``{placeholders}``."""

    en: str
    ja: str

    def __getitem__(self, language: Language) -> str:
        return str(getattr(self, language))


class _Catalogue(RootModel[dict[str, Message]]):
    pass


@cache
def catalogue() -> dict[str, Message]:
    """Every message by its key."""
    return read_yaml(CATALOGUE, _Catalogue).root


class Messages:
    """The catalogue in one language."""

    def __init__(self, language: Language = "en") -> None:
        self.language = language

    def __contains__(self, key: str) -> bool:
        return key in catalogue()

    def text(self, key: str, **values: object) -> str:
        """A message as plain text; one about a metric has a message for each kind of metric (``key.time``)."""
        return _Writer(self).vformat(self._message(key, values), (), values)

    def say(self, key: str, **values: object) -> Markup:
        """A message as a part of a page: its own markup holds, that of ``values`` is shown."""
        return Markup(_EscapingWriter(self).vformat(self._message(key, values), (), values))

    def _message(self, key: str, values: Mapping[str, object]) -> str:
        special = f"{key}.{metric_kind(str(values['metric']))}" if "metric" in values else ""
        return catalogue()[special if special in catalogue() else key][self.language]

    def special(self, key: str, *names: str) -> str:
        """The key of the most special message there is: ``key.a.b``, ``key.a`` or ``key`` for names a and b."""
        keys = [".".join((key, *names[:length])) for length in range(len(names), -1, -1)]
        return next(each for each in keys if each in self or each == key)

    def count(self, amount: int, what: str) -> str:
        """``1 block``, ``5 blocks``."""
        return self.text(f"count.{what}.{'one' if amount == 1 else 'many'}", amount=amount)

    def reason(self, reason: Reason) -> str:
        """A reason in words."""
        return self.text(f"reason.{reason.key}", **reason.values)

    def reasons(self, reasons: Sequence[Reason]) -> str:
        """Several, one after the other."""
        return self.text("list.reasons").join(self.reason(each) for each in reasons)

    def written(self, value: object) -> str:
        """A value as it stands in a message."""
        if isinstance(value, Reason):
            return self.reason(value)
        if isinstance(value, Text):
            return value.ja if self.language == "ja" and value.ja else value.en
        if isinstance(value, list):
            return self.text("list").join(self.written(each) for each in value)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return str(value)
        return self.text("not_a_number") if math.isnan(value) else number(value)


class _Writer(string.Formatter):
    def __init__(self, messages: Messages) -> None:
        self._messages = messages

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, Range):
            low, high = (self.format_field(end, format_spec) for end in value)
            return low if low == high else self._messages.text("interval", low=low, high=high)
        return _WAYS[format_spec](value) if format_spec else self._messages.written(value)


class _EscapingWriter(_Writer):
    def format_field(self, value: Any, format_spec: str) -> str:
        return str(value) if isinstance(value, Markup) else str(escape(super().format_field(value, format_spec)))


ENGLISH = Messages()
