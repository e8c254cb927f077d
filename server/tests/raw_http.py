"""Requests that no decent client sends, byte by byte."""

import json
import socket
from urllib.parse import urlsplit

from waiting import wait_until


def open_connection(address, seconds=300):
    """A socket to a server."""
    parts = urlsplit(str(address))
    return socket.create_connection(("127.0.0.1", parts.port), timeout=seconds)


def leave_when(begun, address, path, body, headers=""):
    """Post JSON, and close the connection as soon as this holds of the server."""
    content = json.dumps(body)
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{headers}"
    with open_connection(address) as connection:
        connection.sendall(f"{head}Content-Length: {len(content)}\r\n\r\n{content}".encode())
        wait_until(begun)


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
