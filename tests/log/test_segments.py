"""What tells that a segment is as it was."""

from rhizome.log.segments import Stamp


def test_a_segment_that_was_sealed_since_is_the_same_where_all_else_is() -> None:
    assert Stamp(1, 2, 3) == Stamp(1, 2, 3, sealed=True)
    assert not Stamp(1, 2, 3) != Stamp(1, 2, 3, sealed=True)  # noqa: SIM202 - a struct has two ways to say it
    assert hash(Stamp(1, 2, 3)) == hash(Stamp(1, 2, 3, sealed=True))


def test_another_size_time_or_file_is_another_segment() -> None:
    stamps = [Stamp(1, 2, 3), Stamp(9, 2, 3), Stamp(1, 9, 3), Stamp(1, 2, 9)]

    assert all((one == other) == (one is other) and (one != other) == (one is not other)
               for one in stamps for other in stamps)  # fmt: skip
