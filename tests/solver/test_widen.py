"""Widening: ring after ring, until a step frees nothing."""

from wavefold.solver.widen import widen


def free_up_to(last, freed):
    """A function that frees a ring if it is not beyond the last one."""

    def free_ring(ring):
        freed.append(ring)
        return ring <= last

    return free_ring


def test_every_ring_up_to_a_radius_is_freed_before_it():
    freed = []
    steps = widen((0, 1, 3), free_up_to(9, freed))
    assert [(radius, list(freed)) for radius in steps] == [(0, []), (1, [1]), (3, [1, 2, 3])]


def test_a_step_that_frees_nothing_is_the_last():
    freed = []
    assert list(widen((1, 2, 4, 8), free_up_to(2, freed))) == [1, 2]
    assert freed == [1, 2, 3, 4]


def test_the_first_radius_is_tried_even_if_there_is_nothing_around():
    assert list(widen((1, 2), free_up_to(0, []))) == [1]
