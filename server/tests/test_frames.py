"""Binary messages: what is decoded is what was encoded, and damage is noticed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavefold.errors import FormatError
from wavefold.kernels.host.bitsets import pack_bits
from wavefold_server.live import frames

KINDS = st.sampled_from(sorted(frames.ARRAYS))


@st.composite
def any_frames(draw):
    kind = draw(KINDS)
    type_name, columns = frames.ARRAYS[kind]
    rows = draw(st.integers(0, 40))
    octets = draw(st.binary(min_size=rows * columns * np.dtype(type_name).itemsize))
    array = np.frombuffer(octets, type_name, rows * columns).reshape(rows, columns)
    return frames.Frame(kind, draw(st.integers(0, 0xFFFF)), array)


@given(any_frames())
def test_a_frame_is_decoded_as_it_was_encoded(frame):
    found = frames.decode(frame.encode())
    assert (found.kind, found.tag) == (frame.kind, frame.tag)
    assert np.array_equal(found.rows, frame.rows)


@given(any_frames())
def test_the_header_has_eight_bytes_and_is_little_endian(frame):
    message = frame.encode()
    assert message[0] == frame.kind
    assert message[1] == 1
    assert int.from_bytes(message[2:4], "little") == frame.tag
    assert int.from_bytes(message[4:8], "little") == len(frame.rows)


@given(any_frames(), st.data())
def test_a_frame_that_is_cut_short_or_continued_is_refused(frame, data):
    message = frame.encode()
    length = data.draw(st.integers(0, len(message) - 1))
    for damaged in (message[:length], message + b"x"):
        with pytest.raises(FormatError):
            frames.decode(damaged)


@given(st.binary(max_size=200))
def test_any_bytes_are_a_frame_or_refused(message):
    try:
        frame = frames.decode(message)
    except FormatError:
        return
    assert frame.encode() == message


@given(st.integers(1, 130), st.integers(1, 20), st.data())
def test_a_board_has_the_number_of_patterns_and_the_one_that_is_left(patterns, cells, data):
    flags = data.draw(st.lists(st.integers(0, 2**patterns - 1), min_size=cells, max_size=cells))
    possible = np.array([[each >> bit & 1 for bit in range(patterns)] for each in flags], bool)
    board = frames.board_of(pack_bits(possible), patterns, 7)
    left, combined = frames.expand_runs(board.rows).T
    assert left.tolist() == possible.sum(axis=1).tolist()
    expected = [int(np.bitwise_xor.reduce(np.flatnonzero(row), initial=0)) for row in possible]
    assert combined.tolist() == expected
    assert not (board.rows[1:, 1:] == board.rows[:-1, 1:]).all(axis=1).any(), "two runs could be one"


@given(st.integers(1, 130), st.integers(1, 20), st.data())
def test_domains_are_the_patterns_of_each_cell(patterns, cells, data):
    flags = data.draw(st.lists(st.integers(0, 2**patterns - 1), min_size=cells, max_size=cells))
    possible = np.array([[each >> bit & 1 for bit in range(patterns)] for each in flags], bool)
    words = frames.expand_domains(frames.domains_of(pack_bits(possible), patterns, 7).rows)
    assert words.shape == (cells, (patterns + 31) // 32)
    found = np.unpackbits(words.astype("<u4").view(np.uint8), axis=1, bitorder="little")[:, :patterns]
    assert np.array_equal(found, possible)


def test_many_events_are_split_into_frames_of_bounded_size():
    rows = np.arange(4 * (2 * frames.MOST_ROWS + 5), dtype=np.int32).reshape(-1, 4)
    found = list(frames.split_events([rows[:7], rows[7:]], tag=3))
    assert [len(frame.rows) for frame in found] == [frames.MOST_ROWS, frames.MOST_ROWS, 5]
    assert np.array_equal(np.concatenate([frame.rows for frame in found]), rows)


def test_no_events_are_no_frame():
    assert list(frames.split_events([], tag=0)) == []
