"""What is public is what `__all__` lists, and all of it is explained."""

import inspect

import pytest

import wavefold as wf

PUBLIC = [name for name in wf.__all__ if not name.startswith("__") and name != "CONTENT_VERSION"]


def test_every_listed_name_can_be_imported():
    assert [name for name in wf.__all__ if not hasattr(wf, name)] == []


def test_dir_shows_the_listed_names_in_order_and_once():
    assert dir(wf) == sorted(wf.__all__)
    assert len(set(wf.__all__)) == len(wf.__all__)


def test_nothing_else_is_offered():
    with pytest.raises(AttributeError, match="no attribute 'WaveFunction'"):
        _ = wf.WaveFunction


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_object_has_a_docstring(name):
    documented = inspect.getdoc(getattr(wf, name))
    assert documented
    assert not documented.startswith(f"{name}(")  # what dataclasses and named tuples write by themselves


@pytest.mark.parametrize("name", [name for name in PUBLIC if inspect.isclass(getattr(wf, name))])
def test_every_public_method_has_a_docstring(name):
    kind = getattr(wf, name)
    silent = [
        attribute
        for attribute, value in vars(kind).items()
        if not attribute.startswith("_")
        and (inspect.isfunction(value) or isinstance(value, property | classmethod))
        and not inspect.getdoc(getattr(kind, attribute))
    ]
    assert silent == []


def test_every_error_descends_from_one_root():
    errors = [getattr(wf, name) for name in PUBLIC if inspect.isclass(getattr(wf, name))]
    errors = [each for each in errors if issubclass(each, Exception) and not issubclass(each, Warning)]
    assert len(errors) == 10
    assert all(issubclass(each, wf.WavefoldError) for each in errors)


def test_versions_have_the_documented_form():
    assert wf.__version__.count(".") == 2
    assert isinstance(wf.CONTENT_VERSION, int)
