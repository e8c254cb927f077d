"""Digests of rows: damage of the database is noticed, and never read as data.

Each table with the columns `row_digest` and `content_digest` is guarded by temporary objects of a connection:

- triggers that set them when a row is added or changed, and leave rows alone that are damaged already;
- a view `intact_…` of the rows that are what was written. In it, a column of type BLOB is null if its content
  is damaged; such columns are only read and checked when they are asked for.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import NamedTuple

from wavefold.storage import checksum

DIGESTS = ("row_digest", "content_digest")


def guard_tables(connection: sqlite3.Connection) -> None:
    """Guard all tables that have the columns for it; those that are guarded already stay so."""
    connection.create_function("digest_values", -1, checksum, deterministic=True)
    for (table,) in connection.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'").fetchall():
        columns = [TableColumn(*row[1:6]) for row in connection.execute(f"PRAGMA main.table_info({table})")]
        if {each.name for each in columns} >= set(DIGESTS):
            connection.executescript(write_guards(table, columns))


class TableColumn(NamedTuple):
    """A column as `PRAGMA table_info` describes it; key : its place in the primary key, or 0."""

    name: str
    type: str
    is_needed: int
    default: str | None
    key: int


def write_guards(table: str, columns: list[TableColumn]) -> str:
    """SQL that guards a table."""
    contents = [each for each in columns if each.type == "BLOB" and each.name not in DIGESTS]
    others = [each for each in columns if each.type != "BLOB"]
    content = digest_columns(contents)
    shown = [each.name for each in others]
    for each in contents:
        shown.append(f"CASE WHEN content_digest = {content} THEN {each.name} END AS {each.name}")
    names = ", ".join(each.name for each in others)
    key = " AND ".join(f"{each.name} = NEW.{each.name}" for each in columns if each.key)
    whole = digest_columns(others, "content_digest")
    both = f"content_digest = {content}, row_digest = {digest_columns(others, content)}"
    guards = f"""
CREATE TEMP VIEW IF NOT EXISTS intact_{table} AS
SELECT {", ".join(shown)} FROM main.{table} WHERE row_digest = {whole};
CREATE TEMP TRIGGER IF NOT EXISTS {table}_added AFTER INSERT ON main.{table}
BEGIN UPDATE {table} SET {both} WHERE {key}; END;
CREATE TEMP TRIGGER IF NOT EXISTS {table}_changed AFTER UPDATE OF {names} ON main.{table}
BEGIN UPDATE {table} SET row_digest = {whole} WHERE {key}; END;
CREATE TEMP TRIGGER IF NOT EXISTS {table}_kept
BEFORE UPDATE OF {", ".join(each.name for each in (*others, *contents))} ON main.{table}
WHEN OLD.row_digest IS NOT {digest_columns(others, "OLD.content_digest", "OLD.")}
BEGIN SELECT RAISE(IGNORE); END;
"""
    if not contents:
        return guards
    return f"""{guards}
CREATE TEMP TRIGGER IF NOT EXISTS {table}_refilled
AFTER UPDATE OF {", ".join(each.name for each in contents)} ON main.{table}
BEGIN UPDATE {table} SET {both} WHERE {key}; END;
"""


def digest_columns(columns: Iterable[TableColumn], more: str = "NULL", prefix: str = "") -> str:
    """SQL for a digest of columns, and of one value more. Text that is damaged need not be UTF-8."""
    parts = [more]
    for each in columns:
        name = f"{prefix}{each.name}"
        is_number = each.type in ("INTEGER", "REAL")
        value = (
            f"CASE WHEN typeof({name}) != 'text' THEN {name} END" if is_number else f"CAST({name} AS BLOB)"
        )
        parts += [f"typeof({name})", value]
    return f"digest_values({', '.join(parts)})"
