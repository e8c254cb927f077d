"""TOML documents: reading with the place of each error, and formatting values."""

from __future__ import annotations

import json
import re
import tomllib
from ast import literal_eval
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any, NoReturn, TypeVar

from wavefold.errors import ConfigError, FormatError, TileSetError
from wavefold.kernels.host.checkpoint import checkpoint
from wavefold.storage.files import AnyFile, read_limited

FORMAT_VERSION = 1
MOST_BYTES = 8 << 20
MOST_PATTERNS = 1 << 14
MOST_KEYS = 1 << 18  # a key takes about ten microseconds; learned sets have ten keys per pattern
NAMED_TABLES = ("sheet", "flat_sheet", "learned", "touching", "groups", "refine", "activities", "reached")
OTHER_SIDES = "others"  # the key for all sides that a table does not name
WIDEST_LINE = 100  # characters of a line with a list
MOST_PROBLEMS = 10  # in one message

Made = TypeVar("Made")
KeyPath = tuple[str | int, ...]  # ("tiles", "lawn", "weight"), ("beside", 2)

KEY_PART = r"""(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')"""
# The time of Python's parser grows with the cube of the number of parts.
LONG_KEY = re.compile(rf"(?:^|[\[{{,])[ \t]*(?:{KEY_PART}[ \t]*\.[ \t]*){{16}}", re.MULTILINE)
# Strings and comments, which can hide brackets and line ends; brackets; line ends.
TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}|' r"'''.*?'{3,5}|" r'"(?:\\.|[^"\\\n])*"|' r"'[^'\n]*'|#[^\n]*|[\[\]{}\n]",
    re.DOTALL,
)
KEY = re.compile(r"""((?:"(?:\\.|[^"\\])*"|'[^']*'|[^="'])+)=""")


class Document:
    """A parsed TOML file, and the problems found in it."""

    def __init__(
        self,
        source: AnyFile,
        most: int = MOST_BYTES,
        advice: str = "a tile set file is much smaller",
        most_patterns: int = MOST_PATTERNS,
    ) -> None:
        """Read a file of at most `most` bytes; raises `FormatError` with this advice if it is larger."""
        self.source, self.most_patterns = source, most_patterns
        self.text = self._decode(read_limited(source, most, advice))
        self.data = self._parse()
        self.problems: list[tuple[KeyPath, str]] = []

    @contextmanager
    def at(self, *path: str | int) -> Iterator[None]:
        """Record errors from the block as problems at this place; `check` raises them together."""
        try:
            yield
        except (TileSetError, FormatError, ConfigError) as error:
            self.problems.append((self._nearest(path, str(error)), str(error)))

    def attempt(self, make: Callable[[], Made], *path: str | int) -> Made:
        """Return the result of a call; an error is raised at once, with this place."""
        try:
            return make()
        except (TileSetError, FormatError) as error:
            self.fail(str(error), *path)

    def check(self) -> None:
        """Raise if there are problems, with the place of each."""
        if self.problems:
            shown = [f"{self.where(path)}: {text}" for path, text in self.problems[:MOST_PROBLEMS]]
            more = len(self.problems) - len(shown)
            raise FormatError("\n".join(shown) + (f"\nand {more:,} more" if more else ""))

    def fail(self, text: str, *path: str | int) -> NoReturn:
        """Raise a `FormatError` with this place."""
        raise FormatError(f"{self.where(path)}: {text}")

    def where(self, path: KeyPath) -> str:
        """The file, the table and the line, as far as known."""
        found = (self.lines.get(path[:length]) for length in range(len(path), 0, -1))
        line = next((line for line in found if line), None)
        parts = [str(self.source), name_table(path), f"line {line}" if line else ""]
        return ", ".join(part for part in parts if part)

    @cached_property
    def lines(self) -> dict[KeyPath, int]:
        """The line of each table and key, without keys in inline tables."""
        found: dict[KeyPath, int] = {}
        count: dict[KeyPath, int] = {}
        table: KeyPath = ()
        for line, statement in split_statements(self.text):
            checkpoint()
            if statement.startswith("[["):
                name = parse_key_path(statement[2:].partition("]]")[0])
                count[name] = count.get(name, -1) + 1
                table = (*name, count[name])
                found.setdefault(name, line)
                found.setdefault(table, line)
            elif statement.startswith("["):
                table = parse_key_path(find_table_key(statement))
                found |= {path: line for path in list_prefixes(table) if path not in found}
            elif match := KEY.match(statement):
                path = table + parse_key_path(match[1])
                found |= {path: line for path in list_prefixes(path) if path not in found}
        return found

    def _nearest(self, path: KeyPath, problem: str) -> KeyPath:
        """The path of the key that a problem mentions, for tiles and objects; otherwise the given path."""
        if len(path) != 2 or path[0] not in ("tiles", "objects") or len(self.problems) > MOST_PROBLEMS:
            return path
        keys = [str(each[2]) for each in self.lines if each[:2] == path and len(each) == 3]
        mentioned = [key for key in keys if re.search(rf"\b{re.escape(key)}\b", problem)]
        return (*path, max(mentioned, key=len)) if mentioned else path

    def _decode(self, data: bytes) -> str:
        try:
            return data.decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise FormatError(
                f"{self.source}, line {line}: not valid UTF-8; save the file as UTF-8"
            ) from None

    def _parse(self) -> dict[str, Any]:
        if long := LONG_KEY.search(self.text):
            line = self.text.count("\n", 0, long.end()) + 1
            raise FormatError(f"{self.source}, line {line}: a key has too many parts")
        if self.text.count("=") > MOST_KEYS:
            raise FormatError(f"{self.source} has too many keys; at most {MOST_KEYS:,} can be read")
        try:
            return tomllib.loads(self.text)
        except RecursionError:
            raise FormatError(f"{self.source}: lists or tables are nested too deeply") from None
        except ValueError as error:
            raise FormatError(f"{self.source}{self._explain(str(error))}") from None

    def _explain(self, message: str) -> str:
        """The message of Python's parser, with the line before it."""
        found = re.fullmatch(r"(.*) \(at (?:(line \d+, column \d+)|end of document)\)", message, re.DOTALL)
        reason, place = (found[1], found[2] or "at its end") if found else (message, "")
        if twice := re.fullmatch(r"Cannot declare \((.*?),?\) twice", reason, re.DOTALL):
            names = ".".join(literal_eval(f"({twice[1]},)"))
            return f", {place}: [{names}] occurs twice; names must differ"
        if reason == "Cannot overwrite a value":
            return f", {place}: a key occurs twice in one table, or a table has the name of a key"
        return f"{', ' if place else ''}{place}: not valid TOML: {reason}"


def split_statements(text: str) -> Iterator[tuple[int, str]]:
    """The statements with the numbers of their first lines; a statement may have several lines."""
    depth, begin, line, passed = 0, 0, 1, 0
    for token in TOKEN.finditer(text + "\n"):
        sign = token[0]
        depth += (sign in "[{") - (sign in "]}")
        passed += sign.count("\n")
        if sign == "\n" and depth == 0:
            statement = text[begin : token.start()].strip()
            if statement and not statement.startswith("#"):
                yield line, statement
            begin, line = token.end(), passed + 1


def find_table_key(statement: str) -> str:
    """The key in `[key]`; quoted parts may contain brackets."""
    depth = 0
    for token in TOKEN.finditer(statement):
        depth += (token[0] == "[") - (token[0] == "]")
        if depth == 0 and token[0] == "]":
            return statement[1 : token.start()]
    return ""


def parse_key_path(key: str) -> tuple[str, ...]:
    """Split a dotted key into its parts; an invalid key has none."""
    if re.fullmatch(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*", key.strip()):
        return tuple(key.strip().split("."))
    try:
        value: Any = tomllib.loads(f"{key.strip()} = 0")
    except ValueError:
        return ()
    path = []
    while isinstance(value, dict):
        ((name, value),) = value.items()
        path.append(name)
    return tuple(path)


def list_prefixes(path: KeyPath) -> list[KeyPath]:
    """The prefixes of a path, including itself."""
    return [path[:length] for length in range(1, len(path) + 1)]


def name_table(path: KeyPath) -> str:
    """The table of a path in TOML notation: `[tiles.lawn]`, or `[[beside]]` with its number."""
    match path:
        case ("tiles" | "objects" as kind, str(name), *_):
            return f"[{kind}.{name}]"
        case ("beside" | "constraints" as kind, int(number), *_):
            return f"[[{kind}]] number {number + 1}"
        case (str(name), *_) if name in NAMED_TABLES:
            return f"[{name}]"
    return ""


# --- values -------------------------------------------------------------------------------------


def freeze_lists(value: Any) -> Any:
    """Convert lists to tuples, also within tables."""
    if isinstance(value, dict):
        return {name: freeze_lists(each) for name, each in value.items()}
    return tuple(freeze_lists(each) for each in value) if isinstance(value, list) else value


def format_value(value: Any) -> str:
    """A value in TOML notation."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1 << 53 else repr(value)
    if isinstance(value, dict):
        return (
            f"{{ {', '.join(f'{format_key(name)} = {format_value(each)}' for name, each in value.items())} }}"
        )
    if isinstance(value, tuple | list):
        return format_list([format_value(each) for each in value])
    return str(value)


def format_list(items: Iterable[str]) -> str:
    """A list, on several lines if it is long."""
    lines = [""]
    for item in items:
        if lines[-1] and len(lines[-1]) + len(item) > WIDEST_LINE:
            lines.append("")
        lines[-1] += f"{', ' if lines[-1] else ''}{item}"
    if len(lines) == 1:
        return f"[{lines[0]}]"
    return "[\n" + "".join(f"  {line},\n" for line in lines) + "]"


def format_key(name: str) -> str:
    """A key, in quotes if necessary."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else format_value(name)
