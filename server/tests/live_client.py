"""A client of live sessions for tests: sends a command, and follows the board until it is answered."""

import json
from contextlib import contextmanager

import numpy as np
from websockets.sync.client import connect

from wavefold_server.live import frames


class LiveClient:
    """Follows a session as a live view does.

    left, combined : [cell] as of a board, changed by events
    seen : frames since the last command
    """

    def __init__(self, socket):
        self.socket = socket
        self.left = self.combined = np.zeros(0, np.int32)
        self.seen = []

    def send(self, command, **options):
        self.socket.send(json.dumps({"command": command, **options}))

    def receive(self):
        """The next answer; frames that come before it are followed."""
        while True:
            message = self.socket.recv(timeout=300)
            if isinstance(message, str):
                return json.loads(message)
            self.follow(frames.decode(message))

    def ask(self, command, **options):
        """Send a command and return its answer."""
        self.seen = []
        self.send(command, **options)
        return self.receive()

    def follow(self, frame):
        self.seen.append(frame)
        if frame.kind == frames.BOARD:
            self.left, self.combined = frames.expand_runs(frame.rows).T.copy()
        elif frame.kind == frames.EVENTS and self.left.size:
            removed = frame.rows[frame.rows[:, 0] == 1]
            np.subtract.at(self.left, removed[:, 1], 1)
            np.bitwise_xor.at(self.combined, removed[:, 1], removed[:, 2])

    @property
    def patterns(self):
        """[cell] what is decided; -1 where nothing is."""
        return np.where(self.left == 1, self.combined, -1)


@contextmanager
def run_live(address, **options):
    """A connection to the server at this address that lasts as long as the block."""
    url = address.replace("http", "ws", 1).rstrip("/") + "/api/v1/live"
    given = {"subprotocols": ["wavefold"], "max_size": None} | options
    with connect(url, **given) as socket:
        yield LiveClient(socket)
