"""SQLite files: formats in their headers, transactions that are kept whole or not at all."""

import sqlite3
from contextlib import closing

import pytest

from wavefold.storage import DatabaseFormat, checksum, connect_sqlite, is_damage, transaction
from wavefold.storage.sqlite import SealedTable


@pytest.fixture
def database(tmp_path):
    with closing(connect_sqlite(tmp_path / "some file?#.db", "rwc", 0)) as connection:
        connection.execute("CREATE TABLE numbers (number INTEGER)")
        yield connection


def test_a_format_is_read_as_it_was_written(database):
    assert DatabaseFormat.read(database) == (0, 0)
    DatabaseFormat(7, 3).write(database)
    assert DatabaseFormat.read(database) == DatabaseFormat(7, 3)


def test_a_transaction_that_fails_changes_nothing(database):
    with transaction(database):
        database.execute("INSERT INTO numbers VALUES (1)")
    with pytest.raises(sqlite3.OperationalError, match="no such table"), transaction(database):
        database.executemany("INSERT INTO numbers VALUES (?)", [(2,), (3,)]).execute("SELECT * FROM letters")
    assert database.execute("SELECT number FROM numbers").fetchall() == [(1,)]


def test_a_file_that_is_no_database_is_damaged(tmp_path):
    path = tmp_path / "text"
    path.write_bytes(b"no database" * 100)
    with pytest.raises(sqlite3.DatabaseError) as caught, closing(connect_sqlite(path, "rw", 0)) as connection:
        DatabaseFormat.read(connection)
    assert is_damage(caught.value)
    assert not is_damage(ValueError())


def test_a_sealed_table_reads_only_what_was_written_under_a_key(database):
    table = SealedTable("things", "x INTEGER, name TEXT")
    table.create(database)
    table.insert(database, [(1, "a", b"one"), (2, "b", b"two"), (3, "c", b"three")], b"salt")
    table.insert(database, [(3, "c", b"four")], b"salt")
    database.execute("UPDATE things SET name = 'z' WHERE x = 2")
    found = [*table.read(database, "WHERE x > ? ORDER BY x", (0,), b"salt")]
    assert found == [(1, "a", b"one"), (2, "z", None), (3, "c", b"four")]
    assert all(content is None for *_, content in table.read(database))


def test_checksums_tell_types_and_divisions_apart():
    different = [(b"ab",), (b"a", b"b"), ("ab",), (1,), ("1",), (1.0,), (None,), ()]
    assert len({checksum(*values) for values in different}) == len(different)
