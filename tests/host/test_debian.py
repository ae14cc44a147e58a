import pytest

from tf_claims.host import debian
from tf_claims.model.errors import InputError

LISTING = """\
'https://other.test/dists/bookworm-pgdg/InRelease' other 0
'http://mirror.test/debian/dists/bookworm-updates/InRelease' mirror 0
'http://mirror.test/debian/dists/bookworm/InRelease' mirror 0
'http://mirror.test/debian/dists/bookworm/main/binary-amd64/Packages.xz' mirror 0
"""


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ('ID=debian\nVERSION_CODENAME="bookworm"\n', "bookworm"),
        ("ID=debian\nVERSION_CODENAME=trixie\n", "trixie"),
        ("ID=ubuntu\nID_LIKE=debian\nVERSION_CODENAME=noble\n", None),
        ("ID=debian\n", None),
    ],
)
def test_the_release_of_the_host(tmp_path, text, release):
    (tmp_path / "os-release").write_text(text)
    assert debian.host_release(tmp_path / "os-release") == release
    assert debian.host_release(tmp_path / "missing") is None


def test_the_mirror_is_that_of_the_release_itself():
    assert debian.parse_mirror(LISTING, "bookworm") == "http://mirror.test/debian"
    assert debian.parse_mirror(LISTING.replace("/bookworm/", "/stable/"), "bookworm") == "http://mirror.test/debian"
    assert debian.parse_mirror(LISTING, "trixie") is None


def test_a_host_without_a_mirror(monkeypatch):
    monkeypatch.setattr(debian, "host_release", lambda: None)
    with pytest.raises(InputError, match="no Debian mirror"):
        debian.mirror()


def test_packages_without_apt(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(InputError, match="apt-get is missing"):
        debian.unpack(["x"], "sid", tmp_path, tmp_path)


def test_only_root_installs(monkeypatch):
    monkeypatch.setattr(debian.os, "geteuid", lambda: 1000)
    assert debian.install("no-such-program", "package") is False
    assert debian.install("sh", "dash") is True
