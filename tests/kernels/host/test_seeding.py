"""Seeds: mixed from several numbers, the same on every machine."""

from wavefold.kernels.host.seeding import mix


def test_mixed_seeds_differ_by_every_part():
    found = {mix(seed, stage, x, y) for seed in range(3) for stage in range(4) for x in range(-4, 4)
             for y in range(-4, 4)}  # fmt: skip
    assert len(found) == 3 * 4 * 8 * 8
    assert mix(1, 2, -3) == 0xD0B94318D620126A
