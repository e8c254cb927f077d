"""Zip archives are opened in memory, within limits, and what could do harm is refused by name."""

import stat
import struct
import warnings
import zipfile

import pytest
from archives import entry, zipped

from wavefold.errors import FormatError
from wavefold.formats.archive import InputLimits, read_archive
from wavefold.options.values import LimitError

ENDINGS = (".toml", ".png")


def read(data, **limits):
    return read_archive(data, "set.zip", ENDINGS, InputLimits(**limits))


def test_wanted_files_are_read_whatever_else_is_there():
    data = zipped(
        {
            "set/": b"", "set/a.TOML": b"a", "set/b.png": b"b", "README.md": b"hello",
            "__MACOSX/set/._a.TOML": b"x", "set/.hidden.toml": b"x", "none": b"",
        }
    )  # fmt: skip
    assert read(data) == {"set/a.TOML": b"a", "set/b.png": b"b"}


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_both_usual_methods_are_read(method):
    assert read(zipped({"a.toml": b"text" * 100}, method)) == {"a.toml": b"text" * 100}


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_unusual_methods_are_refused(method):
    with pytest.raises(FormatError, match=r"set.zip: 'a.toml' has an unsupported compression; use deflate"):
        read(zipped({"a.toml": b"text"}, method))


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({"/etc/a.toml": b""}, "'/etc/a.toml' is not a path inside"),
        ({"../a.toml": b""}, r"'\.\./a.toml' is not a path inside"),
        ({"a/../../b.toml": b""}, "is not a path inside"),
        ({"a//b.toml": b""}, "is not a path inside"),
        ({"./a.toml": b""}, "is not a path inside"),
        ({"art\\a.png": b""}, r"has '\\', ':' or a null byte in its name; separate folders by '/'"),
        ({"C:a.png": b""}, "has '.', ':' or a null byte in its name"),
        ({"inner.zip": b""}, "'inner.zip' is an archive;"),
        ({"inner.png": zipped({"a.toml": b""})}, "'inner.png' is an archive;"),
    ],
)
def test_names_that_lead_elsewhere_and_archives_inside_are_refused(files, problem):
    with pytest.raises(FormatError, match=problem):
        read(zipped(files))


def test_a_null_byte_in_a_name_is_refused():
    data = zipped({"a.tomlX.exe": b""}).replace(b"a.tomlX.exe", b"a.toml\0.exe")
    with pytest.raises(FormatError, match=r"'a.toml\\x00.exe' has '.', ':' or a null byte"):
        read(data)


def test_a_name_that_is_there_twice_is_refused():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # zipfile's own, of writing such
        data = zipped([("a.toml", b"1"), ("a.toml", b"2")])
    with pytest.raises(FormatError, match=r"'a.toml' occurs twice"):
        read(data)


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFSOCK])
def test_links_and_devices_are_refused(kind):
    data = zipped({entry("a.toml", create_system=3, external_attr=(kind | 0o777) << 16): b"/etc/passwd"})
    with pytest.raises(FormatError, match=r"'a.toml' is a link or a device"):
        read(data)


def test_encrypted_entries_are_refused():
    data = bytearray(zipped({"a.toml": b"text"}))
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(signature) + offset] |= 1
    with pytest.raises(FormatError, match=r"'a.toml' is encrypted; create the archive without a password"):
        read(bytes(data))


# --- limits ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "limits", "problem"),
    [
        ({"a.toml": b"x" * 300}, {"size": 100}, "has [0-9]+ bytes; at most 100 are accepted"),
        ({f"{n}.toml": b"" for n in range(5)}, {"entries": 4}, "has 5 entries; at most 4 are accepted"),
        ({"a.toml": b"12", "b": b"34"}, {"inflated": 3}, "has 4 bytes, decompressed; at most 3 are"),
        ({"a.png": bytes(10_000)}, {"ratio": 100}, "'a.png' is [0-9]+ times its compressed size"),
    ],
)
def test_every_limit_is_named(files, limits, problem):
    with pytest.raises(LimitError, match=problem) as caught:
        read(zipped(files), **limits)
    assert {caught.value.limit: caught.value.most} == limits


def test_a_file_of_nothing_but_zeros_is_refused_by_default():
    with pytest.raises(LimitError, match="at most 200 times is accepted"):
        read(zipped({"a.toml": bytes(1 << 20)}))


@pytest.mark.parametrize("declared", [100, 1_000_000])
def test_what_is_declared_and_what_is_inflated_must_agree(declared):
    data = bytearray(zipped({"a.toml": b"some text that is deflated " * 40}))
    for signature, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        struct.pack_into("<I", data, data.index(signature) + offset, declared)
    with pytest.raises(FormatError):
        read(bytes(data), ratio=10**6)


def test_so_many_entries_that_their_list_would_be_large_are_refused_before_it_is_made(monkeypatch):
    data = zipped({f"{n}": b"" for n in range(50)})
    monkeypatch.setattr(zipfile, "ZipFile", None)
    with pytest.raises(LimitError, match="has 50 entries; at most 49"):
        read(data, entries=49)


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"no archive", bytes(100)])
def test_what_is_no_archive_is_refused(data):
    with pytest.raises(FormatError, match=r"set.zip is not a complete zip archive"):
        read(data)


def test_an_empty_archive_has_no_files():
    assert read(zipped({})) == {}
