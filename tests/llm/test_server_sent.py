"""Server-sent events come out the same however the bytes were cut."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fabula.llm.server_sent import events

LINE = st.text(st.characters(exclude_characters="\r\n\ufeff", exclude_categories=["Cs"]), max_size=12)
ENDS = st.sampled_from(["\n", "\r\n", "\r"])


@st.composite
def streams(draw: st.DrawFn) -> tuple[bytes, list[str]]:
    """Bytes, and the data of the events in them."""
    text, expected = draw(st.sampled_from(["", "\ufeff"])), []
    for lines in draw(st.lists(st.lists(LINE, min_size=1, max_size=3), max_size=5)):
        end = draw(ENDS)
        for line in lines:
            text += draw(st.sampled_from(["", f": ping{end}", f"event: x{end}"]))
            text += f"data: {line}{end}"
        text += end
        expected.append("\n".join(lines))
    if expected and draw(st.booleans()):
        text = text.removesuffix(end).removesuffix(end)
    return text.encode(), expected


@given(streams(), st.data())
def test_events_do_not_depend_on_how_the_bytes_were_cut(
    stream: tuple[bytes, list[str]], data: st.DataObject
) -> None:
    raw, expected = stream
    cuts = sorted(data.draw(st.sets(st.integers(0, len(raw)))))
    chunks = [raw[start:end] for start, end in zip([0, *cuts], [*cuts, len(raw)], strict=True)]
    assert list(events(chunks)) == expected
    assert list(events(raw[i : i + 1] for i in range(len(raw)))) == expected
