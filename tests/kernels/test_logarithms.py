"""Whole-number logarithms and powers against exact ones."""

from decimal import Decimal, getcontext
from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavefold.kernels.constants import LOG_BITS, LOG_STEPS
from wavefold.kernels.logarithms import (
    build_log_table,
    build_power_table,
    log_of,
    power_of,
    take_logs,
    take_powers,
)


def test_no_logarithm_lies_near_a_rounding_boundary():
    """So that every platform's logarithm gives the same table."""
    getcontext().prec = 40
    scale = Decimal(1 << LOG_BITS)
    exact = [(1 + Decimal(step) / LOG_STEPS).ln() * scale for step in range(LOG_STEPS + 1)]
    table = build_log_table()
    assert table.tolist() == [int(each.to_integral_value()) for each in exact]
    assert min(abs(each % 1 - Decimal("0.5")) for each in exact) > Decimal("1e-9")


@given(st.integers(1, 2**40))
def test_logarithms_are_right_to_a_few_units(value):
    found = int(take_logs(np.array([value]))[0])
    assert found == pytest.approx(log(value) * 2**LOG_BITS, abs=3)


def test_logarithms_grow_with_their_numbers():
    found = take_logs(np.arange(1, 3000)).tolist()
    assert found == sorted(found)
    assert found[0] == 0


@given(st.integers(0, 33 << LOG_BITS))
def test_powers_are_right_to_a_few_parts_in_a_million(number):
    found = int(take_powers(np.array([number]))[0])
    assert found == pytest.approx(min(exp(number / 2**LOG_BITS), 2**48), rel=4e-6, abs=1)


@given(st.lists(st.integers(1, 2**62), min_size=1, max_size=20))
def test_kernels_compute_what_their_python_functions_do(values):
    numbers = np.array(values)
    logs = take_logs(numbers)
    assert logs.tolist() == [int(log_of(value, build_log_table())) for value in values]
    assert take_powers(logs).tolist() == [int(power_of(each, build_power_table())) for each in logs.tolist()]
