"""How the suite runs: the same examples every time, fewer of them when kernels run as plain Python."""

import pytest
from hypothesis import HealthCheck, settings

from wavefold.kernels.jit import COMPILED

pytest.register_assert_rewrite("wavefold.testing", "support")

settings.register_profile(
    "wavefold",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=60 if COMPILED else 12,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
settings.load_profile("wavefold")
