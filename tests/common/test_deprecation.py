"""Modules that are gone: their names can still be imported, with a warning that says where they are now."""

import sys
from importlib import import_module

import pytest

from wavefold.common.deprecation import OLD_MODULES

NAMES = [(module, name, home) for module, names in OLD_MODULES.items() for name, home in names.items()]


@pytest.mark.parametrize(("module", "name", "home"), NAMES)
def test_an_old_import_path_leads_to_the_new_one_with_a_warning(module, name, home):
    new_module, new_name = home.split(":")
    with pytest.warns(
        DeprecationWarning, match=f"{module}.{name} is deprecated; use {new_module}.{new_name}"
    ):
        found = getattr(import_module(module), name)
    assert found is getattr(import_module(new_module), new_name)


def test_an_old_module_can_be_imported_in_every_way():
    import wavefold.tiles.doubts

    from wavefold.tiles import doubts

    assert wavefold.tiles.doubts is doubts is sys.modules["wavefold.tiles.doubts"]
    with pytest.warns(DeprecationWarning, match="lint"):
        from wavefold.tiles.doubts import doubts as find_doubts
    assert callable(find_doubts)


def test_an_unknown_name_of_an_old_module_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = import_module("wavefold.world.arrays").nothing
    with pytest.raises(ModuleNotFoundError):
        import_module("wavefold.world.nothing")


def test_a_warning_names_what_users_write():
    public = set(import_module("wavefold").__all__)
    homes = [home.split(":") for _, _, home in NAMES]
    assert [module for module, name in homes if name in public and module != "wavefold"] == []
