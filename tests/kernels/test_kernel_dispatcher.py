"""Kernels are compiled in a thread, kept in our own store, and survive whatever is found there."""

import gc
import signal
import threading

import pytest

from support import compiled_only
from wavefold.kernels import jit
from wavefold.kernels.kernel_dispatcher import Compilation, KernelDispatcher
from wavefold.kernels.kernel_store import KernelStore
from wavefold.kernels.listeners import check_while_waiting, listen_to_compiler

pytestmark = compiled_only


def double(number):
    return 2 * number


@pytest.fixture
def make_kernel(tmp_path, monkeypatch):
    """Make the same kernel again, as another process would."""

    def make():
        monkeypatch.setattr(jit, "STORE", KernelStore([tmp_path]))
        return jit.kernel(double)

    return make


def compiled_names(kernel):
    names = []
    with listen_to_compiler(names.append):
        assert kernel(21) == 42
    return names


def test_a_kernel_is_compiled_once_and_loaded_from_then_on(make_kernel, tmp_path):
    assert compiled_names(make_kernel()) == ["double", None]
    assert compiled_names(make_kernel()) == []
    assert [path.suffix for path in tmp_path.iterdir() if path.name != "lock"] == [".kernel"]


@pytest.mark.parametrize("damage", [b"", b"half", None])
def test_a_damaged_file_is_compiled_again(make_kernel, tmp_path, damage):
    compiled_names(make_kernel())
    (path,) = tmp_path.glob("*.kernel")
    if damage is None:  # the checksum fits, the content does not
        KernelStore([tmp_path]).write(path.name, b"not a pickle")
    else:
        path.write_bytes(damage)
    assert compiled_names(make_kernel()) == ["double", None]  # in a thread, as any other compilation
    assert compiled_names(make_kernel()) == []


def test_nothing_is_written_beside_the_sources(make_kernel):
    kernel = make_kernel()
    kernel(21)
    assert "__pycache__" not in kernel.stats.cache_path


def test_an_error_of_the_compiler_reaches_the_caller(make_kernel):
    with pytest.raises(jit.numba.TypingError):
        make_kernel()(object())


@pytest.fixture
def obeyed_interrupts():
    """A process in the background inherits that Ctrl-C is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("obeyed_interrupts")
def test_an_interrupt_is_obeyed_while_a_kernel_compiles_and_the_compilation_goes_on(make_kernel):
    kernel, release = make_kernel(), threading.Event()

    def interrupt(name):
        if name is None:
            return
        signal.raise_signal(signal.SIGINT)
        release.wait(10)

    with listen_to_compiler(interrupt), pytest.raises(KeyboardInterrupt):
        kernel(21)
    release.set()
    for thread in threading.enumerate():
        if isinstance(thread, Compilation):
            thread.finished.wait()
    assert len(kernel.signatures) == 1
    assert kernel(21) == 42


class Enough(Exception):
    pass


def test_a_check_may_end_the_waiting_and_the_next_call_waits_for_the_same_compilation(make_kernel):
    kernel, release, started = make_kernel(), threading.Event(), []

    def hold(name):
        if name is not None:
            started.append(name)
            release.wait(10)

    def give_up():
        if started:
            raise Enough

    with listen_to_compiler(hold):
        for _ in range(3):
            with check_while_waiting(give_up), pytest.raises(Enough):
                kernel(21)
        release.set()
        assert kernel(21) == 42
    assert started == ["double"]


def test_a_check_is_asked_before_a_kernel_is_loaded(make_kernel):
    make_kernel()(21)
    asked = []
    with check_while_waiting(lambda: asked.append(True)):
        kernel = make_kernel()
        kernel(21)
        kernel(21)
    assert asked == [True]


def test_the_collector_is_as_it_was_after_a_compilation(make_kernel):
    seen = []
    with listen_to_compiler(lambda _: seen.append(gc.isenabled())):
        make_kernel()(21)
    assert gc.isenabled()
    assert seen[0]


def test_kernels_called_by_kernels_compile_in_the_same_thread(make_kernel):
    inner_kernel = make_kernel()

    @jit.numba.njit
    def caller(number):
        return inner_kernel(number)

    assert isinstance(inner_kernel, KernelDispatcher)
    assert caller(21) == 42
