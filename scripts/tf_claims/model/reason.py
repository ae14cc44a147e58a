"""What is to be said, as a key of the catalogue with its values; ``tf_claims.words`` puts it into a language."""

from __future__ import annotations

from tf_claims.model.files import Strict


class Text(Strict):
    """Something that a person wrote, in English and, where there is a translation, in Japanese."""

    en: str
    ja: str = ""


class Reason(Strict):
    """The message ``reason.<key>`` of the catalogue, with a value for each of its placeholders."""

    key: str
    values: dict[str, bool | int | float | str | Text | Reason | list[str | Reason]] = {}


Value = bool | int | float | str | Text | Reason | list[str | Reason]


def because(key: str, **values: Value) -> Reason:
    """The reason of that key."""
    return Reason(key=key, values=values)


def encode(reason: Reason) -> str:
    """A reason as one text, for the column of a table."""
    return reason.model_dump_json()


def decode(text: str) -> Reason:
    """The reason that :func:`encode` wrote."""
    return Reason.model_validate_json(text)
