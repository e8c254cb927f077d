"""API keys: random, shown once, stored as hashes, each with the scope `read` or `write`.

A key has 256 random bits, so a plain SHA-256 cannot be guessed back; salts and slow hashes are for passwords.
"""

from __future__ import annotations

import secrets
from hashlib import sha256
from hmac import compare_digest
from time import time
from typing import Any

from wavefold.errors import ConfigError
from wavefold.service.database import Database
from wavefold.service.problems import Problem

SCOPES = ("read", "write")  # what may write may read
PREFIX = "wf_"
TABLES = """
CREATE TABLE IF NOT EXISTS api_keys (
    name TEXT PRIMARY KEY, hash TEXT NOT NULL, scope TEXT NOT NULL, created REAL NOT NULL
) WITHOUT ROWID;
"""


class ApiKeys:
    """The keys of a data folder. Without any, everybody who can connect may do everything."""

    def __init__(self, database: Database) -> None:
        self._database = database
        database.create(TABLES)

    def create(self, name: str, scope: str) -> str:
        """A new key; it cannot be shown again."""
        if scope not in SCOPES:
            raise ConfigError(f"a key has the scope 'read' or 'write', not {scope!r}")
        if not name.strip() or len(name) > 100:
            raise ConfigError("give the key a name of 1 to 100 characters, to tell it from others")
        if self._database.read("SELECT 1 FROM api_keys WHERE name = ?", (name,)):
            raise ConfigError(
                f"there is a key called {name!r} already; revoke it first, or choose another name"
            )
        key = PREFIX + secrets.token_urlsafe(32)
        row = (name, hash_key(key), scope, time())
        self._database.write("INSERT INTO api_keys VALUES (?, ?, ?, ?)", row)
        return key

    def revoke(self, name: str) -> None:
        """Delete a key: requests with it are refused from now on."""
        if not self._database.write("DELETE FROM api_keys WHERE name = ?", (name,)):
            raise ConfigError(f"there is no key called {name!r}")

    def list(self) -> list[dict[str, Any]]:
        """Name, scope and time of each key, oldest first."""
        return [dict(row) for row in self._database.read(
            "SELECT name, scope, created FROM api_keys ORDER BY created, name")]  # fmt: skip

    @property
    def exist(self) -> bool:
        """Whether there is any key, so that requests need one."""
        return bool(self._database.read("SELECT 1 FROM api_keys LIMIT 1"))

    def check(self, key: str | None, scope: str) -> None:
        """Raise a `Problem` unless this key, or nobody's, is enough for this scope."""
        rows = self._database.read("SELECT hash, scope FROM api_keys")
        if not rows:
            return
        given = hash_key(key or "")
        # Every row is compared, in constant time, so that the answer's delay says nothing.
        found = [row["scope"] for row in rows if compare_digest(row["hash"], given)]
        if not found:
            raise Problem(
                401,
                "the API key is not valid" if key else "this server requires an API key",
                error="Unauthorized",
                advice="Send the header 'Authorization: Bearer KEY'; `wavefold keys create` makes a key.",
                headers={"WWW-Authenticate": "Bearer"},
            )
        if scope == "write" and found != ["write"]:
            raise Problem(403, "this API key may only read", error="Forbidden",
                          advice="Use a key with the scope 'write'.")  # fmt: skip


def hash_key(key: str) -> str:
    """What is stored of a key."""
    return sha256(key.encode()).hexdigest()
