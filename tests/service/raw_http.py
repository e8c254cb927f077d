"""Requests that no decent client sends, byte by byte."""

import socket
from urllib.parse import urlsplit


def open_connection(address, seconds=20):
    """A socket to a server."""
    parts = urlsplit(str(address))
    return socket.create_connection(("127.0.0.1", parts.port), timeout=seconds)


def exchange(address, *sent):
    """Send these bytes one after another; everything that comes back until the server closes."""
    with open_connection(address) as connection:
        for part in sent:
            connection.sendall(part)
        return read_all(connection)


def read_all(connection):
    """Everything until the connection is closed."""
    received = b""
    try:
        while part := connection.recv(65_536):
            received += part
    except ConnectionResetError:
        pass
    return received


def status_of(answer):
    """The status in the first line of an answer."""
    return int(answer.split(b" ", 2)[1])
