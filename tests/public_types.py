"""The types that users of the public names meet, read from the source and followed through aliases.

Annotations are read as text: some are only imported for type checkers, so that `typing.get_type_hints`
cannot evaluate them.
"""

import ast
import builtins
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import wavefold as wf

CALLED = ("__init__", "__new__", "__call__", "__getitem__", "__iter__")  # by users, without their names
# Classes that say nothing without an argument, such as `dict`.
GENERIC = {
    "dict", "list", "set", "frozenset", "tuple", "type", "Mapping", "MutableMapping", "Sequence", "Iterable",
    "Iterator", "Collection", "Set", "Callable", "NDArray", "ndarray", "Counter", "defaultdict", "deque",
}  # fmt: skip


class Finding(NamedTuple):
    """A type that tells users nothing."""

    place: str  # such as "generate(order)", "World.edits" or "Tile.limits"
    what: str  # "Any", "Callable[...]", "dict" without arguments, a private or a missing type
    path: tuple[str, ...]  # the aliases in between


class Definition(NamedTuple):
    """What a name stands for."""

    module: str
    kind: str  # "class", "functions", "value", "builtin" or "foreign"
    node: object


class Import(NamedTuple):
    """A name that is defined elsewhere."""

    module: str
    name: str


@cache
def read_module(name):
    """{name: definition or import} of a module of wavefold."""
    path = find_spec(name).origin
    return dict(list_names(name, ast.parse(Path(path).read_text("utf-8")).body))


def list_names(module, body):
    """(name, definition) of all statements, also of those that only type checkers read."""
    functions = {}
    for node in body:
        match node:
            case ast.ImportFrom():
                yield from (
                    (each.asname or each.name, ("import", node.module, each.name)) for each in node.names
                )
            case ast.ClassDef():
                yield node.name, Definition(module, "class", node)
            case ast.FunctionDef():
                functions.setdefault(node.name, []).append(node)
            case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is not None:
                yield name, Definition(module, "value", value)
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield name, Definition(module, "value", value)
            case ast.If():
                yield from list_names(module, [*node.body, *node.orelse])
    yield from ((name, Definition(module, "functions", nodes)) for name, nodes in functions.items())


def look_up(module, name):
    """The definition of a name, through any number of imports."""
    found = read_module(module).get(name)
    if found is None:
        if hasattr(builtins, name):
            return Definition(module, "builtin", name)
        value = getattr(import_module(module), name)  # a package that loads its names when they are used
        assert value.__module__ != module, (module, name)
        return look_up(value.__module__, value.__name__)
    if isinstance(found, Definition):
        return found
    _, source, original = found
    return (
        look_up(source, original)
        if source.startswith("wavefold")
        else Definition(source, "foreign", original)
    )


class Survey:
    """Visits annotations, and the classes that they lead to."""

    def __init__(self):
        self.findings = []
        self.classes = {}  # (module, name of a class) -> whether users construct it

    def visit_all(self):
        """Everything public, and the public attributes and methods of all classes met on the way."""
        for module, name in [(module, name) for module, names in wf._NAMES.items() for name in names]:
            found = look_up(module, name)
            if found.kind == "class":
                self.classes[found.module, found.node.name] = True
            elif found.kind == "functions":
                self.visit_functions(name, found.module, found.node)
        visited = set()
        while waiting := self.classes.keys() - visited:
            for module, name in sorted(waiting):
                self.visit_class(look_up(module, name))
            visited |= waiting

    def visit_class(self, found):
        module, _, node = found
        is_constructed = self.classes[module, node.name]
        methods = {}
        for each in node.body:
            if isinstance(each, ast.FunctionDef):
                methods.setdefault(each.name, []).append(each)
            elif isinstance(each, ast.AnnAssign) and not each.target.id.startswith("_"):
                self.visit(f"{node.name}.{each.target.id}", module, each.annotation)
        for name, functions in methods.items():
            if name in ("__init__", "__new__") and not is_constructed:
                self.visit_attributes(node.name, module, functions[0])
            elif not name.startswith("_") or name in CALLED:
                self.visit_functions(f"{node.name}.{name}".removesuffix(".__init__"), module, functions)
        for base in node.bases:
            self.visit_base(module, base, is_constructed)

    def visit_base(self, module, base, is_constructed):
        if isinstance(base, ast.Name):
            found = look_up(module, base.id)
            if found.kind == "class":
                known = self.classes.get((found.module, found.node.name), False)
                self.classes[found.module, found.node.name] = known or is_constructed

    def visit_attributes(self, owner, module, function):
        """Public attributes that hold an argument of the constructor."""
        arguments = {each.arg: each.annotation for each in list_arguments(function)}
        for node in ast.walk(function):
            match node:
                case ast.Assign(targets=[ast.Attribute(attr=name)], value=ast.Name(id=argument)) if (
                    argument in arguments and not name.startswith("_")
                ):
                    self.visit(f"{owner}.{name}", module, arguments[argument])

    def visit_functions(self, place, module, functions):
        overloads = [each for each in functions if "overload" in map(ast.unparse, each.decorator_list)]
        for function in overloads or functions:
            for argument in list_arguments(function):
                where = f"{place}({argument.arg})"
                if argument.annotation is None:
                    self.findings.append(Finding(where, "no type", ()))
                self.visit(where, module, argument.annotation)
            self.visit(place, module, function.returns)

    def visit(self, place, module, node, path=(), has_arguments=False):
        """An annotation."""
        match node:
            case ast.Constant(value=str(text)):
                self.visit(place, module, ast.parse(text, mode="eval").body, path)
            case ast.BinOp(left=left, right=right):
                self.visit(place, module, left, path)
                self.visit(place, module, right, path)
            case ast.List(elts=parts) | ast.Tuple(elts=parts):
                for each in parts:
                    self.visit(place, module, each, path)
            case ast.Subscript(value=ast.Name(id="Literal")):
                pass
            case ast.Subscript(value=ast.Name(id="Annotated"), slice=ast.Tuple(elts=[kind, *_])):
                self.visit(place, module, kind, path)
            case ast.Subscript(value=ast.Name(id="Callable"), slice=ast.Tuple(elts=[given, result])):
                if isinstance(given, ast.Constant):
                    self.findings.append(Finding(place, "Callable[...]", path))
                self.visit(place, module, given, path)
                self.visit(place, module, result, path)
            case ast.Subscript(value=value, slice=inner):
                self.visit(place, module, value, path, has_arguments=True)
                self.visit(place, module, inner, path)
            case ast.Starred(value=value):
                self.visit(place, module, value, path)
            case ast.Attribute(attr=name):
                if name == "Any" or name.startswith("_"):
                    self.findings.append(Finding(place, ast.unparse(node), path))
            case ast.Name(id=name):
                self.visit_name(place, module, name, path, has_arguments)

    def visit_name(self, place, module, name, path, has_arguments):
        if name.startswith("_") or name == "Any" or (name in GENERIC and not has_arguments):
            self.findings.append(Finding(place, name, path))
            return
        found = look_up(module, name)
        match found.node:
            case ast.ClassDef(name=original):
                self.classes.setdefault((found.module, original), False)
            case ast.Call(func=ast.Name(id="TypeVar"), keywords=keywords):
                for each in keywords:
                    self.visit(place, found.module, each.value, (*path, name))
            case ast.AST() if name not in path:
                self.visit(place, found.module, found.node, (*path, name))


def list_arguments(function):
    """The arguments of a function, without the object or class it belongs to."""
    given = function.args
    every = [*given.posonlyargs, *given.args, given.vararg, *given.kwonlyargs, given.kwarg]
    return [each for each in every if each is not None and each.arg not in ("self", "cls")]


@cache
def list_findings():
    """All of them."""
    survey = Survey()
    survey.visit_all()
    return tuple(survey.findings)
