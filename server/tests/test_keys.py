"""API keys: made, revoked, checked from memory, and never open by accident."""

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wavefold as wf
from wavefold_server.database import Database
from wavefold_server.keys import ApiKeys, KeyCheck, hash_key
from wavefold_server.problems import Problem


@pytest.fixture
def database(tmp_path):
    database = Database(tmp_path)
    yield database
    database.close()


def outcome(check, key, scope):
    """The name of the key, or the status of the refusal."""
    try:
        return check.check(key, scope)
    except Problem as problem:
        return problem.status


def test_a_key_is_only_stored_as_a_hash(database):
    key = ApiKeys(database).create("game", "read")
    (row,) = database.read("SELECT * FROM api_keys")
    assert row["hash"] == hash_key(key)
    assert key not in str(dict(row))
    assert len(key) > 40


def test_without_any_key_everybody_may_do_everything(database):
    ApiKeys(database)
    check = KeyCheck(database)
    assert outcome(check, None, "write") is None
    check.close()


def test_an_exposed_server_without_keys_lets_nobody_in(database):
    ApiKeys(database)
    check = KeyCheck(database, required=True)
    assert outcome(check, None, "read") == 401
    check.close()


def test_revoking_the_last_key_does_not_open_the_server(database):
    keys = ApiKeys(database)
    key = keys.create("game", "write")
    check = KeyCheck(database)
    assert outcome(check, key, "write") == "game"
    keys.revoke("game")
    assert outcome(check, key, "read") == 401
    assert outcome(check, None, "read") == 401
    check.close()


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["read", "write", "revoke"])), max_size=12))
def test_what_another_process_does_counts_at_once(tmp_path_factory, steps):
    database = Database(tmp_path_factory.mktemp("data"))
    elsewhere = Database(database.folder)
    keys, check, held, required = ApiKeys(elsewhere), KeyCheck(database), {}, False
    for name, step in steps:
        if step == "revoke" and name in held:
            keys.revoke(name)
            del held[name]
        elif step != "revoke" and name not in held:
            held[name] = (keys.create(name, step), step)
        required = required or bool(held)
        assert outcome(check, "wf_wrong", "read") == (401 if required else None)
        for each, (key, scope) in held.items():
            assert outcome(check, key, "read") == each
            assert outcome(check, key, "write") == (each if scope == "write" else 403)
    for each in (check, elsewhere, database):
        each.close()


def test_a_check_never_waits_for_a_writer(database):
    key = ApiKeys(database).create("game", "read")
    check = KeyCheck(database)
    with database.writing() as connection:
        connection.execute("DELETE FROM api_keys")
        assert outcome(check, key, "read") == "game"  # not committed yet
    assert outcome(check, key, "read") == 401
    check.close()


@pytest.mark.parametrize("name", ["", " ", " a", "a\n", "a\x1b[31m", "\ud800", "x" * 101, "a\u202e"])
def test_a_name_must_be_fit_for_a_log(database, name):
    with pytest.raises(wf.ConfigError, match="name"):
        ApiKeys(database).create(name, "read")


def test_two_keys_cannot_have_one_name_and_unknown_ones_are_named(database):
    keys = ApiKeys(database)
    keys.create("game", "read")
    with pytest.raises(wf.ConfigError, match="already"):
        keys.create("game", "write")
    with pytest.raises(wf.ConfigError, match="did you mean 'game'"):
        keys.revoke("gme")
    with pytest.raises(wf.ConfigError, match="scope"):
        keys.create("other", "admin")


def test_the_connection_of_the_check_cannot_write(database):
    ApiKeys(database)
    check = KeyCheck(database)
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        check._connection.execute("DELETE FROM api_keys")
    check.close()
