"""The version of the package, and of what it makes, in one place."""

__version__ = "0.1.0"

CONTENT_VERSION = 5  # raised whenever the same seed would give another map
CHUNK_VERSION = 3  # raised whenever it would give other chunks of a world, which saved worlds ask for
