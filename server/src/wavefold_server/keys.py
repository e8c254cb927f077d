"""API keys: random, shown once, stored as hashes, each with the scope `read` or `write`.

A key has 256 random bits, so a plain SHA-256 cannot be guessed back; salts and slow hashes are for passwords.
"""

from __future__ import annotations

import secrets
import sqlite3
import unicodedata
from hashlib import sha256
from hmac import compare_digest
from time import time
from typing import Any

from wavefold.errors import ConfigError, suggest
from wavefold_server.database import Database, connect_database
from wavefold_server.problems import Problem
from wavefold_server.row_digests import guard_tables

SCOPES = ("read", "write")  # what may write may read
PREFIX = "wf_"
LONGEST_NAME = 100  # characters
TABLES = """
CREATE TABLE IF NOT EXISTS api_keys (
    name TEXT PRIMARY KEY, hash TEXT NOT NULL, scope TEXT NOT NULL, created REAL NOT NULL,
    row_digest BLOB, content_digest BLOB
) WITHOUT ROWID;
"""
UNAUTHORIZED = {"WWW-Authenticate": 'Bearer realm="wavefold"'}


class ApiKeys:
    """The keys of a data folder: made, listed and revoked. Any thread may call this, and other processes."""

    def __init__(self, database: Database) -> None:
        self._database = database
        database.create(TABLES)

    def create(self, name: str, scope: str) -> str:
        """A new key; it cannot be shown again."""
        if scope not in SCOPES:
            raise ConfigError(f"a key has the scope 'read' or 'write', not {scope!r}")
        check_name(name)
        key = PREFIX + secrets.token_urlsafe(32)
        try:
            self._database.write("INSERT INTO api_keys (name, hash, scope, created) VALUES (?, ?, ?, ?)",
                                 (name, hash_key(key), scope, time()))  # fmt: skip
        except sqlite3.IntegrityError:
            raise ConfigError(
                f"there is a key called {name!r} already; revoke it first, or choose another name"
            ) from None
        return key

    def revoke(self, name: str) -> None:
        """Delete a key: later requests with it are refused."""
        if not self._database.write("DELETE FROM api_keys WHERE name = ?", (name,)):
            names = [each["name"] for each in self.list()]
            raise ConfigError(f"there is no key called {name!r}; {suggest(name, names)}")

    def list(self) -> list[dict[str, Any]]:
        """Name, scope and time of each key, oldest first."""
        return [dict(row) for row in self._database.read(
            "SELECT name, scope, created FROM api_keys ORDER BY created, name")]  # fmt: skip

    @property
    def exist(self) -> bool:
        """Whether there is any key, so that requests need one."""
        return bool(self._database.read("SELECT 1 FROM api_keys LIMIT 1"))


class KeyCheck:
    """Checks the key of every request, on the event loop: keys are held in memory.

    They are read again when the database has changed, whoever changed it. Once there has been a key, one is
    required until the server ends: revoking the last one does not open the server to everybody.

    required : whether a key is needed even if there has never been one
    """

    def __init__(self, database: Database, required: bool = False) -> None:
        # A connection of its own: that of the database is locked while another thread writes.
        self._connection = connect_database(database.folder / "wavefold.db")
        guard_tables(self._connection)
        self._connection.execute("PRAGMA query_only = ON")
        self._connection.execute("PRAGMA busy_timeout = 0")
        self._version: int | None = None
        self._rows: list[tuple[str, str, str]] = []  # hash, scope, name
        self.required = required
        self._refresh()

    def check(self, key: str | None, scope: str) -> str | None:
        """The name of this key, or None if none is required. Raises a `Problem` if it is not enough."""
        self._refresh()
        if not self.required:
            return None
        given = hash_key(key or "")
        # Every hash is compared, in constant time, so that the answer's delay says nothing.
        found = [(has, name) for each, has, name in self._rows if compare_digest(each, given)]
        if not found:
            raise Problem(
                401,
                "the API key is not valid" if key else "this server requires an API key",
                error="Unauthorized",
                advice="Send the header 'Authorization: Bearer KEY'; `wavefold keys create` makes a key.",
                headers=UNAUTHORIZED,
            )
        has, name = found[0]
        if scope == "write" and has != "write":
            raise Problem(403, f"the API key {name!r} may only read", error="Forbidden",
                          advice="Use a key with the scope 'write'.")  # fmt: skip
        return name

    def allows(self, key: str | None, scope: str) -> bool:
        """Whether this key is enough."""
        try:
            self.check(key, scope)
        except Problem:
            return False
        return True

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _refresh(self) -> None:
        """Read the keys again if anything was written since. That takes microseconds, and never waits."""
        try:
            (version,) = self._connection.execute("PRAGMA data_version").fetchone()
            if version == self._version:
                return
            rows = self._connection.execute("SELECT hash, scope, name FROM intact_api_keys").fetchall()
            (count,) = self._connection.execute("SELECT count(*) FROM api_keys").fetchone()
        except sqlite3.OperationalError:  # busy, which is rare: the next request tries again
            if self._version is None:
                raise
            return
        self._rows, self._version = [tuple(row) for row in rows], version
        self.required = self.required or count > 0  # damaged keys, too


def check_name(name: str) -> None:
    """Raise ConfigError unless a key can have this name: it is shown in tables and in the log."""
    if not 0 < len(name) <= LONGEST_NAME or name != name.strip():
        raise ConfigError(f"give the key a name of 1 to {LONGEST_NAME} characters, to tell it from others")
    if any(unicodedata.category(each).startswith("C") for each in name):
        raise ConfigError("the name of a key cannot have control characters")


def hash_key(key: str) -> str:
    """What is stored of a key."""
    return sha256(key.encode()).hexdigest()
