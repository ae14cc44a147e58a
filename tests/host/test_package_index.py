import pytest

from tf_claims.host import package_index
from tf_claims.host.package_index import Sources


def test_the_most_fitting_platform_comes_first():
    platforms = package_index.platforms()
    assert platforms[0] == "manylinux_2_36_x86_64"
    assert platforms.index("manylinux2014_x86_64") == platforms.index("manylinux_2_17_x86_64") + 1
    assert platforms[-1] == "linux_x86_64"


@pytest.mark.parametrize(
    ("env", "pip", "expected"),
    [
        ({}, {}, Sources(None)),
        ({}, {"index-url": "https://a.test/simple"}, Sources("https://a.test/simple")),
        (
            {},
            {"extra-index-url": "\\nhttps://a.test/x\\nfile:///y", "find-links": "/wheels"},
            Sources(None, ("https://a.test/x", "file:///y"), ("/wheels",)),
        ),
        ({"UV_INDEX_URL": "https://u.test/"}, {"index-url": "https://a.test"}, Sources("https://u.test/")),
        (
            {"UV_DEFAULT_INDEX": "https://u.test/", "UV_INDEX": "mine=https://m.test/?a=b"},
            {},
            Sources("https://u.test/", ("https://m.test/?a=b",)),
        ),
    ],
)
def test_sources_come_from_uv_then_pip(env, pip, expected):
    assert package_index.configured_sources(env, lambda: pip) == expected
