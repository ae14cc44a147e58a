"""No link of a folder from elsewhere leads out of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tf_claims.host.links import refuse_links_out, stays_inside
from tf_claims.model.errors import InputError


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """A checkout and something outside of it; the cache is elsewhere again."""
    monkeypatch.setenv("TF_CLAIMS_CACHE", str(tmp_path / "cache"))
    for name in ("checkout/results", "outside", "cache"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "outside/secret").write_text("mine")
    return tmp_path / "checkout", tmp_path / "outside"


def test_links_inside_and_into_the_cache_are_fine(places: tuple[Path, Path]) -> None:
    checkout, outside = places
    (checkout / "results/a").symlink_to(checkout)
    (checkout / "results/b").symlink_to(outside.parent / "cache/image.sif")
    (checkout / "results/c").symlink_to("a")
    refuse_links_out(checkout / "results", checkout)


@pytest.mark.parametrize(
    "target", ["../../outside/secret", "../../outside", "/etc/passwd", "a/../../../outside/secret"]
)
def test_a_link_out_is_named(places: tuple[Path, Path], target: str) -> None:
    checkout, _ = places
    (checkout / "results/link").symlink_to(target)
    with pytest.raises(InputError, match=r"results/link: leads to .*, out of .*checkout; delete it"):
        refuse_links_out(checkout / "results", checkout)


def test_a_path_with_dots_is_followed(places: tuple[Path, Path]) -> None:
    checkout, _ = places
    assert stays_inside(checkout / "results/../x", checkout) == checkout / "results/../x"
    with pytest.raises(InputError, match="leads to"):
        stays_inside(checkout / "../outside/secret", checkout)
