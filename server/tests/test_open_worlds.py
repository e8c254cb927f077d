"""Worlds are closed when they are not used, and never while they are."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from wavefold.kernels.host.checkpoint import Stopped
from wavefold_server.worlds.open_worlds import OpenWorlds


class FakeWorld:
    """A world that remembers whether it is closed."""

    def __init__(self, path):
        self.path, self.is_closed = path, False

    def close(self):
        assert not self.is_closed
        self.is_closed = True


class Folder:
    """Opens fake worlds, and counts."""

    def __init__(self):
        self.opened = []

    def open(self, path):
        self.opened.append(FakeWorld(path))
        return self.opened[-1]


@pytest.fixture
def folder():
    return Folder()


@pytest.fixture
def worlds(tmp_path, folder):
    return OpenWorlds(tmp_path, folder.open, 2)


def test_the_worlds_used_last_stay_open(worlds, folder):
    for name in "abca":
        with worlds.use(name):
            pass
    assert [each.path.stem for each in folder.opened] == ["a", "b", "c", "a"]
    assert [each.is_closed for each in folder.opened] == [True, True, False, False]


def test_a_world_in_use_is_not_closed(worlds, folder):
    with worlds.use("a") as (world, _):
        for name in "bcd":
            with worlds.use(name):
                pass
        assert not world.is_closed
        with worlds.use("a") as (same, _):
            assert same is world
    assert len([each for each in folder.opened if not each.is_closed]) == 2


def test_a_world_is_opened_once_for_all_who_ask(worlds, folder):
    start = threading.Barrier(8)

    def use(_):
        start.wait(300)
        with worlds.use("a") as (world, _):
            return world

    with ThreadPoolExecutor(8) as threads:
        assert len(set(threads.map(use, range(8)))) == 1
    assert len(folder.opened) == 1


def test_a_deleted_world_is_closed_by_its_last_user_and_then_its_file_goes(worlds):
    path = worlds.path("a")
    path.write_bytes(b"")
    with worlds.use("a") as (world, _):
        worlds.delete("a")
        assert path.exists()
        assert not world.is_closed
    assert world.is_closed
    assert not path.exists()
    worlds.delete("b")  # not open


def test_a_world_that_is_deleted_while_it_is_opened_in_vain_leaves_no_file(tmp_path):
    worlds = OpenWorlds(tmp_path, lambda path: worlds.delete("a") or 1 / 0, 2)
    worlds.path("a").write_bytes(b"")
    with pytest.raises(ZeroDivisionError), worlds.use("a"):
        pass
    assert not worlds.path("a").exists()


def test_an_error_reaches_all_who_wait_and_the_next_one_tries_again(tmp_path):
    errors = [ValueError("damaged"), Stopped()]
    folder = Folder()

    def open_file(path):
        if errors:
            raise errors.pop(0)
        return folder.open(path)

    worlds = OpenWorlds(tmp_path, open_file, 2)
    with pytest.raises(ValueError, match="damaged"), worlds.use("a"):
        pass
    with pytest.raises(Stopped), worlds.use("a"):
        pass
    with worlds.use("a") as (world, _):
        assert world is folder.opened[0]
    worlds.close()
    assert world.is_closed


def test_who_waits_for_an_opener_that_is_stopped_opens_the_world_itself(tmp_path):
    folder, begun, may_end = Folder(), threading.Event(), threading.Event()

    def open_file(path):
        if not begun.is_set():
            begun.set()
            may_end.wait(300)
            raise Stopped
        return folder.open(path)

    worlds = OpenWorlds(tmp_path, open_file, 2)

    def use():
        with worlds.use("a") as (world, _):
            return world

    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(use)
        assert begun.wait(300)
        second = threads.submit(use)
        may_end.set()
        assert isinstance(first.exception(300), Stopped)
        assert second.result(300) is folder.opened[0]
