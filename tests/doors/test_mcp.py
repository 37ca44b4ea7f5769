"""The MCP door as agents meet it: the SDK's client over real stdio, on a home that other processes write to."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from tests.doors.conftest import EXAMPLES, environment, run

PINNED = Path(__file__).with_name("mcp_tools.json")
LIMIT = 8_192
OWNER = {"key": "tidepool|owner", "statement": "Ada owns tidepool.", "scope": "tidepool"}


def served(folder: Path, *options: str) -> StdioServerParameters:
    return StdioServerParameters(
        command=sys.executable, args=["-m", "rhizome", "mcp", *options], env=environment(folder), cwd=folder
    )


def talk(folder: Path, conversation: Callable[[Client], Awaitable[Any]], *options: str) -> Any:
    """What a conversation with a server over `folder` comes to."""

    async def held() -> Any:
        async with Client(served(folder, *options)) as client:
            return await conversation(client)

    return asyncio.run(held())


async def told(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    return dict(result.structured_content or {})


def test_the_tools_present_themselves_as_pinned(tmp_path: Path) -> None:
    async def listed(client: Client) -> Any:
        tools = (await client.list_tools()).tools
        return [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools]

    found = talk(tmp_path, listed)

    assert json.loads(PINNED.read_text(encoding="utf-8")) == found
    for tool in found:
        hints = {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint", "title"}
        assert hints <= tool["annotations"].keys()


def test_each_tool_answers_what_its_verb_answers(folder: Path, answer: Callable[..., dict[str, Any]]) -> None:
    async def asked(client: Client) -> Any:
        return [
            await told(client, "memory_search", query="which port does the dev server use", k=2),
            await told(client, "memory_read", ref="tidepool.md"),
            await told(client, "memory_graph", note="tidepool"),
            await told(client, "memory_fact", key="tidepool|dev_port", history=True),
        ]

    found = talk(folder, asked)

    commands = (
        ["search", "which port does the dev server use", "-k", "2"], ["read", "tidepool.md"], ["graph", "tidepool"],
        ["fact", "tidepool|dev_port", "--history"],
    )  # fmt: skip
    assert [answer(*words) | {"next": None} for words in commands] == found


def test_what_an_agent_proposes_waits_for_the_consolidation(
    folder: Path, answer: Callable[..., dict[str, Any]]
) -> None:
    async def asked(client: Client) -> Any:
        first = await told(client, "memory_remember", **OWNER)
        again = await told(client, "memory_remember", **OWNER)
        return first["outcome"], again["outcome"], (await told(client, "memory_fact", key="tidepool|owner"))["fact"]

    outcomes = talk(folder, asked)
    answer("consolidate")

    assert ("new", "duplicate", None) == outcomes
    assert answer("fact", "tidepool|owner")["fact"]["confidence"] == 0.8


@pytest.mark.parametrize(
    ("tool", "arguments", "named"),
    [
        ("memory_search", {}, "'query'"),
        ("memory_search", {"query": 5}, "'query'"),
        ("memory_search", {"query": "port", "k": "many"}, "'k'"),
        ("memory_search", {"query": "port", "k": True}, "'k'"),
        ("memory_search", {"query": "port", "in": "drawers"}, "'in'"),
        ("memory_search", {"query": "port", "clearance": "amber"}, "'clearance'"),
        ("memory_search", {"query": "port", "as_of": "yesterday"}, "yesterday"),
        ("memory_read", {"ref": "tidepool.md", "cursor": "-1"}, "'cursor'"),
        ("memory_read", {"ref": "tidepool.md", "cursor": 7}, "'cursor'"),
        ("memory_read", {"ref": "../../etc/passwd"}, "leaves the notes"),
        ("memory_read", {"ref": "nowhere.md"}, "no such note"),
        ("memory_graph", {"note": "nowhere"}, "no such note"),
        ("memory_forget", {}, "no such tool"),
    ],
)
def test_a_wrong_call_is_refused_in_a_sentence(
    talking: Callable[[str, dict[str, Any]], Any], tool: str, arguments: dict[str, Any], named: str
) -> None:
    result = talking(tool, arguments)

    assert result.is_error
    assert named in result.content[0].text
    assert "\n" not in result.content[0].text


@pytest.fixture(scope="module")
def talking(made: Path) -> Any:
    """One server for many calls that change nothing."""
    loop = asyncio.new_event_loop()
    asked: asyncio.Queue[tuple[str, dict[str, Any], asyncio.Future[Any]] | None] = asyncio.Queue()

    async def serve() -> None:
        async with Client(served(made)) as client:
            while (call := await asked.get()) is not None:
                call[2].set_result(await client.call_tool(call[0], call[1]))

    async def ask(tool: str, arguments: dict[str, Any]) -> Any:
        answered = loop.create_future()
        await asked.put((tool, arguments, answered))
        await asyncio.wait({answered, serving}, return_when=asyncio.FIRST_COMPLETED)
        return answered.result()

    serving = loop.create_task(serve())
    yield lambda tool, arguments: loop.run_until_complete(ask(tool, arguments))
    loop.run_until_complete(asked.put(None))
    loop.run_until_complete(serving)
    loop.close()


def test_not_knowing_is_a_success(talking: Callable[[str, dict[str, Any]], Any]) -> None:
    result = talking("memory_search", {"query": "who painted the ceiling of the opera"})

    assert not result.is_error
    assert "insufficient_evidence" == result.structured_content["status"]
    assert [] == result.structured_content["hits"]


def test_no_key_is_a_success(talking: Callable[[str, dict[str, Any]], Any]) -> None:
    result = talking("memory_fact", {"key": "moon|phase"})

    assert (False, None) == (result.is_error, result.structured_content["fact"])


def test_a_long_note_is_read_page_by_page(folder: Path) -> None:
    lines = (f"- 潮位計 {number} は港にあります 🌊 “ok” \\ \t{number:05}\r\n" for number in range(900))
    text = "# 長い\n\n" + "".join(lines)
    (folder / "memory" / "notes" / "long.md").write_bytes(text.encode())

    async def read(client: Client) -> Any:
        pages = [await told(client, "memory_read", ref="long.md")]
        while pages[-1]["next"] is not None:
            pages.append(await told(client, "memory_read", ref="long.md", cursor=pages[-1]["next"]))
        return pages

    pages = talk(folder, read)

    assert text == "".join(page["text"] for page in pages)
    assert max(len(json.dumps(page, ensure_ascii=False).encode()) for page in pages) < LIMIT


def test_an_answer_that_is_too_large_is_cut_and_says_so(folder: Path) -> None:
    notes = folder / "memory" / "notes"
    for number in range(300):
        reason = f"berth {number} " + "x" * 90
        (notes / f"ship-{number}.md").write_text(f"# Ship {number}\n\n[tidepool](tidepool.md): {reason}\n")

    async def ask(client: Client) -> Any:
        graph = await told(client, "memory_graph", note="tidepool.md", hops=2)
        return graph, await told(client, "memory_search", query="berth", k=200)

    graph, search = talk(folder, ask)

    assert graph["truncated"]
    assert search["truncated"]
    assert len(graph["backlinks"]) > 10
    assert len(json.dumps(graph, ensure_ascii=False).encode()) < LIMIT
    assert len(json.dumps(search, ensure_ascii=False).encode()) < LIMIT


def test_a_green_reader_sees_nothing_amber(folder: Path) -> None:
    note = "---\ntier: amber\n---\n# Salary\n\nInes earns 4,200 a month.\n"
    (folder / "memory" / "notes" / "salary.md").write_text(note)

    async def ask(client: Client) -> Any:
        found = await told(client, "memory_search", query="what does ines earn a month")
        read = await client.call_tool("memory_read", {"ref": "salary.md"})
        graph = await told(client, "memory_graph", note="tidepool.md", hops=3)
        fact = await told(client, "memory_fact", key="user|reply_language")
        return json.dumps(found), read, json.dumps(graph), fact

    found, read, graph, fact = talk(folder, ask, "--clearance", "green")

    assert "4,200" not in found
    assert "salary" not in found
    assert read.is_error
    assert "private/" not in graph
    assert fact["fact"] is None


def test_a_server_sees_what_happens_meanwhile(folder: Path) -> None:
    note = folder / "memory" / "notes" / "ferry.md"

    async def ask(client: Client) -> Any:
        before = await told(client, "memory_search", query="when does the last ferry leave")
        note.write_text("# Ferry\n\nThe last ferry leaves at 22:40.\n", encoding="utf-8")
        written = await told(client, "memory_search", query="when does the last ferry leave")
        note.write_text("# Ferry\n\nThe last ferry leaves at 23:10 now.\n", encoding="utf-8")
        edited = await told(client, "memory_read", ref="ferry.md")
        run(folder, "import", str(EXAMPLES / "codex"), check=True)
        imported = await told(client, "memory_search", query="raise rust-version to 1.82", **{"in": "history"})
        run(folder, "consolidate", check=True)
        fact = await told(client, "memory_fact", key="mossbridge|rust_version")
        return before["status"], written["hits"][0]["ref"], edited["text"], imported["status"], fact["fact"]["value"]

    before, written, edited, imported, fact = talk(folder, ask)

    assert ("insufficient_evidence", "ferry.md:1", "found", "1.82") == (before, written, imported, fact)
    assert "23:10" in edited


def test_two_servers_on_one_home_see_each_others_writes(folder: Path) -> None:
    async def both() -> Any:
        async with Client(served(folder)) as one, Client(served(folder)) as other:
            await told(other, "memory_fact", key="tidepool|owner")
            await told(one, "memory_remember", **OWNER)
            return await told(other, "memory_remember", **OWNER)

    assert "duplicate" == asyncio.run(both())["outcome"]


def test_without_a_home_a_call_says_what_to_do_and_the_server_lives(tmp_path: Path) -> None:
    async def ask(client: Client) -> Any:
        missing = await client.call_tool("memory_search", {"query": "port"})
        run(tmp_path, "init", check=True)
        return missing, await told(client, "memory_search", query="how do links say why")

    missing, found = talk(tmp_path, ask)

    assert missing.is_error
    assert "rhizome init" in missing.content[0].text
    assert "found" == found["status"]
