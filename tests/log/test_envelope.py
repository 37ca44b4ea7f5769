"""An event and its payload are the same thing."""

import json

from hypothesis import given
from hypothesis import strategies as st

from rhizome.log import chain, envelope
from rhizome.log.batch import made
from rhizome.model import Event, Head, Source, Tier

TEXT = st.text(st.characters(codec=None), max_size=20)  # lone surrogates included
JSON = st.recursive(st.none() | st.booleans() | st.integers() | TEXT | st.floats(allow_nan=False, allow_infinity=False),
                    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3), max_leaves=8)
EVENTS = st.builds(
    Event, kind=TEXT, id=st.just("ab" * 16), rev=st.just("cd" * 16), happened_at=st.none() | TEXT, actor=TEXT,
    origin=st.none() | TEXT, scope=st.none() | TEXT, session=st.none() | TEXT, call=st.none() | TEXT,
    tier=st.sampled_from(["amber", "green", "made-up"]), body64=st.none() | TEXT,
    source=st.none() | st.builds(Source, TEXT, TEXT, st.integers(0, 9), st.integers(0, 9)),
    body=st.none() | TEXT | st.dictionaries(TEXT, JSON, max_size=3))


def line(event: Event) -> bytes:
    return bytes(made([event], Head(0, "0" * 64), "2026-01-01T00:00:00.000000Z", bytes).content)


@given(EVENTS)
def test_any_event_comes_back_as_it_went_in(event: Event) -> None:
    read = envelope.event(line(event), "0a0b0c0d")

    assert (read.home, read.seq, read.recorded_at) == ("0a0b0c0d", 1, "2026-01-01T00:00:00.000000Z")
    for name in set(Event.__struct_fields__) - {"home", "seq", "recorded_at"}:
        assert getattr(read, name) == getattr(event, name)


@given(EVENTS)
def test_the_gist_is_what_the_event_says(event: Event) -> None:
    parsed = chain.parse(line(event)[:-1])
    assert parsed is not None and parsed.payload is not None

    gist = envelope.gist(parsed.payload)

    assert (gist.kind, gist.session, gist.recorded_at) == (event.kind, event.session, "2026-01-01T00:00:00.000000Z")


def test_members_stand_in_their_order_and_defaults_are_left_out() -> None:
    full = Event(kind="k", id="ab" * 16, happened_at="h", actor="a", origin="o", scope="s", session="n", call="c",
                 tier="green", source=Source("x", "y"), body="b", body64="B")

    assert list(json.loads(envelope.payload(full, "now"))) == [
        "kind", "recorded_at", "happened_at", "actor", "origin", "scope", "session", "call", "tier", "source", "body",
        "body64"]
    assert envelope.payload(Event(kind="k", id="ab" * 16, tier="amber"), "now") == \
        envelope.payload(Event(kind="k", id="ab" * 16, tier=Tier.AMBER), "now") == b'{"kind":"k","recorded_at":"now"}'


def test_a_line_says_no_more_in_its_header_than_survives_forgetting() -> None:
    header = line(Event(kind="k", id="ab" * 16, session="secret", scope="client")).partition(b',"salt"')[0]

    assert b"secret" not in header
    assert b"client" not in header
