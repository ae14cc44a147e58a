"""The texts of the page in the reader's language, from one catalogue: ``messages.yaml``."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Literal, get_args

from markupsafe import Markup
from pydantic import RootModel

from tf_claims.model.files import Strict, read_yaml

Language = Literal["en", "ja"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
CATALOGUE = Path(__file__).with_suffix(".yaml")


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
        """A message as plain text."""
        return catalogue()[key][self.language].format(**values)

    def say(self, key: str, **values: object) -> Markup:
        """A message as a part of a page: its own markup holds, that of ``values`` is shown."""
        return Markup(catalogue()[key][self.language]).format(**values)

    def count(self, amount: int, what: str) -> str:
        """``1 block``, ``5 blocks``."""
        return self.text(f"count.{what}.{'one' if amount == 1 else 'many'}", amount=f"{amount:,}")

    def find(self, text: str, kind: str) -> str | None:
        """What another part wrote in English, in this language; None where the catalogue does not know it.

        Only the messages ``told.<kind>…`` are looked at; the first that fits wins. What stands for a placeholder may
        itself be such a text, of the kind that the placeholder names.
        """
        if self.language == "en":
            return text
        for pattern, message in _told(kind):
            if match := pattern.fullmatch(text):
                values = {name: self.find(value, name) or value for name, value in match.groupdict().items()}
                return message[self.language].format(**values)
        return None

    def told(self, text: str, kind: str) -> Markup:
        """The same as a part of a page: what stays English says so."""
        found = self.find(text, kind)
        return Markup('<span lang="en">{}</span>').format(text) if found is None else Markup("{}").format(found)

    def each_told(self, text: str, kind: str) -> Markup:
        """The same for several texts that semicolons separate."""
        return Markup("; ").join(self.told(part, kind) for part in text.split("; "))


@cache
def _told(kind: str) -> list[tuple[re.Pattern[str], Message]]:
    chosen = [message for key, message in catalogue().items() if f"{key}.".startswith(f"told.{kind}.")]
    return [(re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+?)", re.escape(message.en))), message) for message in chosen]


ENGLISH = Messages()
