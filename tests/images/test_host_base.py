import io
import tarfile

import pytest

from tf_claims.host import debian
from tf_claims.images import host_base
from tf_claims.model.errors import InputError

KEPT = ["lib/python3.7/os.py", "lib/python3.7/unittest/case.py", "lib/python3.7/ensurepip/_bundled/pip.whl"]
LEFT = [
    "lib/python3.7/test/support.py",
    "lib/python3.7/unittest/test/case.py",
    "lib/python3.7/__pycache__/os.cpython-37.pyc",
    "lib/python3.7/site-packages/own.py",
    "lib/python3.7/tkinter/dialog.py",
    "lib/python3.7/lib-dynload/_tkinter.cpython-37m.so",
    "lib/python3.7/config-3.7m-x86_64-linux-gnu/libpython3.7m.a",
]


@pytest.fixture
def prefix(tmp_path):
    for name in ("bin/python3.7", "lib/libpython3.7m.so.1.0", *KEPT, *LEFT):
        file = tmp_path / "prefix" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name)
    (tmp_path / "prefix/bin/python3.7").chmod(0o755)
    return tmp_path / "prefix"


def _tar(path, prefix):
    root = path.with_suffix(".debian")
    with tarfile.open(root, "w") as debian_root:
        for name in ("./bin", "./dev/null", "./var/lib/apt/lists/partial", "./var/lib/apt"):
            debian_root.addfile(tarfile.TarInfo(name))
        for name in ("./etc/hostname", "./etc/resolv.conf", "./etc/debian_version"):
            told = tarfile.TarInfo(name)
            told.size = 8
            debian_root.addfile(told, io.BytesIO(b"my-host\n"))
    host_base._join(root, prefix, "3.7", path)
    return path


def test_the_layout_is_that_of_the_official_image(prefix, tmp_path):
    with tarfile.open(_tar(tmp_path / "base.tar", prefix)) as tar:
        members = {member.name: member for member in tar}
    assert {f"usr/local/{name}" for name in KEPT} < set(members)
    assert {"./bin", "./var/lib/apt"} < set(members)
    assert not {"./dev/null", "./var/lib/apt/lists/partial"} & set(members)
    assert not {f"usr/local/{name}" for name in LEFT} & set(members)
    sizes = {name: members[f"./etc/{name}"].size for name in ("hostname", "resolv.conf", "debian_version")}
    assert sizes == {"hostname": 0, "resolv.conf": 0, "debian_version": 8}  # nothing of the machine that makes it
    assert members["usr/local/bin/python3"].linkname == "python3.7"
    assert members["usr/local/bin/python3.7"].mode == 0o755
    assert members["usr/local/lib/python3.7/site-packages"].isdir()
    assert "usr/local/lib/libpython3.7m.so.1.0" in members
    assert {(member.uid, member.gid, member.mtime) for member in members.values()} == {(0, 0, 0)}


def test_the_same_files_give_the_same_bytes(prefix, tmp_path):
    first = _tar(tmp_path / "one.tar", prefix).read_bytes()
    for file in prefix.rglob("*"):
        file.touch()
    assert _tar(tmp_path / "two.tar", prefix).read_bytes() == first


def test_another_system_than_debian(monkeypatch):
    monkeypatch.setattr(debian, "host_release", lambda: None)
    with pytest.raises(InputError, match="this host is not Debian"):
        host_base.make("3.7")
