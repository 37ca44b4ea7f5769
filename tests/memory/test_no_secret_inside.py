"""What the door took out is in no byte of a home: not in the log, nor in a note, a commit or an index."""

import io
import json
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path

import tantivy
import zstandard

from rhizome.search.text_index import Entry, TextIndex
from tests.log.planted import planted
from tests.memory.living import Living

SECRETS = planted(5)
SAMPLES = Path(__file__).parents[2] / "examples" / "sessions"


def inside(home: Path) -> dict[str, bytes]:
    """Every byte below `home`, by the path it stands in: git's objects inflated, zstd's frames decoded, the rows of a
    database and the words of an index spelled out."""
    found = {}
    for path in home.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            found[str(path)] = data + _unpacked(path, data)
    return found


def _unpacked(path: Path, data: bytes) -> bytes:
    if path.suffix == ".db":
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
            return "\n".join(database.iterdump()).encode("utf-8", "surrogateescape")
    if path.name == "meta.json":
        return words(path.parent)
    assert path.suffix != ".pack", "git's packs are looked through by nobody yet"
    if "objects" in path.parts and data[:1] == b"\x78":
        return zlib.decompress(data)
    if data[:4] == zstandard.FRAME_HEADER:
        return frames(data)
    return b""


def words(index: Path) -> bytes:
    """Every word that an index of texts knows, whose own file of them is no plain one."""
    searcher = tantivy.Index.open(str(index)).searcher()
    schema = json.loads((index / "meta.json").read_text("utf-8"))["schema"]
    fields = [field["name"] for field in schema if field["type"] == "text"]
    return "\n".join(word for field in fields for word, _ in searcher.terms_with_prefix(field, "")).encode()


def frames(data: bytes) -> bytes:
    """What all frames of a packed file hold."""
    with zstandard.ZstdDecompressor().stream_reader(io.BytesIO(data), read_across_frames=True) as reader:
        return reader.read()


def parts_of(secret: str) -> list[str]:
    """A secret as it may stand somewhere: whole, escaped, or a long piece of it in a term of an index."""
    escaped = json.dumps(secret)[1:-1]
    piece = max(secret.split("\n"), key=len)[-16:]
    return [secret, escaped, json.dumps(escaped)[1:-1], piece, piece.lower()]


def plant(memory: Living) -> None:
    """Every secret in what a person says, in what a tool returned, and in its copy beside it; a decision, too."""
    for number, (text, _) in enumerate(SECRETS.values()):
        memory.says(f"Here it is: {text}\nWe decided to deploy from branch release-{number}.", session=f"s{number % 5}")
        path = memory.folder / "sessions" / "projects" / "tidepool" / f"s{number % 5}.jsonl"
        memory.said += 1
        output = json.dumps({"stdout": text, "nested": json.dumps({"again": text})})
        record = {
            "type": "user", "uuid": f"t-{memory.said}", "parentUuid": None, "isSidechain": False,
            "sessionId": f"s{number % 5}", "cwd": "/home/ines/src/tidepool", "version": "2.1.240",
            "timestamp": memory.now.isoformat().replace("+00:00", "Z"),
            "message": {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": f"toolu_{memory.said}", "content": output}]},
            "toolUseResult": {"stdout": text, "stderr": output},
        }  # fmt: skip
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")


def test_no_planted_secret_is_in_any_byte_after_import_consolidation_and_search(memory: Living) -> None:
    plant(memory)
    report = memory.imports()
    memory.sleeps()
    for query in ("here it is", "deploy branch", *(text for text, _ in SECRETS.values())):
        memory.memory.search(query=query, no_vectors=True)
    memory.memory.rebuild()
    memory.memory.parts.close()

    held = inside(memory.home)
    leaks = {(kind, path) for kind, (_, secret) in SECRETS.items() for piece in parts_of(secret)
             for path, data in held.items() if piece.encode() in data}  # fmt: skip

    assert leaks == set()
    assert any(b"[secret:" in data for data in held.values())
    assert set(report["redacted_by"]) == {kind.split()[0] for kind in SECRETS}
    assert sum(report["redacted_by"].values()) == report["redacted"] == 6 * len(SECRETS)


def test_no_secret_of_the_samples_is_in_any_byte_of_a_home_whose_log_is_sealed(memory: Living) -> None:
    expected = json.loads((SAMPLES / "expected_import.json").read_text("utf-8"))
    literals = [each["literal"] for each in expected["redact"]]
    raw = b"".join(path.read_bytes() for path in SAMPLES.rglob("*.jsonl"))
    assert literals
    assert all(literal.encode() in raw for literal in literals)

    memory.memory.import_(paths=[SAMPLES])
    memory.sleeps()
    memory.sleeps(hours=24 * 40)
    memory.hears("Another month begins.")
    memory.sleeps()
    memory.memory.search(query=literals[0], no_vectors=True)
    memory.memory.parts.close()
    held = inside(memory.home)

    assert [path for path in held if path.endswith(".jsonl.zst")]
    assert [(literal, path) for literal in literals for piece in parts_of(literal) for path, data in held.items()
            if piece.encode() in data] == []


def test_no_secret_in_the_name_of_a_project_is_in_any_byte_of_a_home(memory: Living) -> None:
    secret = SECRETS["github_token"][1]
    memory.hears("We decided to deploy from branch release.", project=secret, session=f"s-{secret}")
    memory.sleeps()
    memory.memory.search(query="deploy branch", no_vectors=True)
    memory.memory.parts.close()
    held = inside(memory.home)

    assert [path for path, data in held.items() for piece in parts_of(secret) if piece.encode() in data] == []
    assert [path for path in held if secret in path] == []
    assert any(b"[secret:" in data for data in held.values())


def test_no_secret_that_somebody_wrote_into_the_spool_of_searches_gets_into_the_log(memory: Living) -> None:
    _, secret = planted()["github_token"]
    line = {"at": "2026-09-07T09:00:00Z", "question": secret, "caller": f"/src/{secret}", "reason": f"a {secret}",
            "refs": [["note", f"{secret}.md:1"]]}  # fmt: skip
    (memory.home / "spool").mkdir()
    (memory.home / "spool" / "served.jsonl").write_text(json.dumps(line) + "\n")
    memory.hears("The dev server runs on port 8080.")
    memory.sleeps()

    assert 1 == memory.events("search.served")
    assert not [path for path, data in inside(memory.home).items() if secret.encode() in data]


def test_what_is_looked_through_is_all_there_is(memory: Living, tmp_path: Path) -> None:
    pack = zstandard.ZstdCompressor().compress
    (tmp_path / "two.zst").write_bytes(pack(b"first") + pack(b"second"))
    (tmp_path / "objects").mkdir()
    (tmp_path / "objects" / "ab").write_bytes(zlib.compress(b"third"))
    with closing(sqlite3.connect(tmp_path / "some.db")) as database:
        database.execute("CREATE TABLE t AS SELECT 'four' || 'th' AS word")
        database.commit()
    TextIndex.create(tmp_path / "index").write([Entry(1, "note", "", "fifth")])

    found = inside(tmp_path)

    assert found[str(tmp_path / "two.zst")].endswith(b"firstsecond")
    assert found[str(tmp_path / "objects" / "ab")].endswith(b"third")
    assert b"fourth" in found[str(tmp_path / "some.db")]
    assert b"fifth" in found[str(tmp_path / "index" / "meta.json")]


def test_an_allowed_value_is_kept(memory: Living) -> None:
    text, secret = SECRETS["github_token"]
    with (memory.home / "rhizome.toml").open("a", encoding="utf-8") as settings:
        settings.write(f'\n[redaction]\nallow = ["{secret}"]\n')

    report = memory.again().hears(f"the sample token is {text}")

    assert report["redacted_by"] == {}
    assert any(secret.encode() in data for data in inside(memory.home).values())


def test_a_second_import_under_other_rules_is_no_news(memory: Living) -> None:
    memory.hears(f"the token is {SECRETS['npm_token'][0]}")
    with (memory.home / "rhizome.toml").open("a", encoding="utf-8") as settings:
        settings.write(f'\n[redaction]\nallow = ["{SECRETS["npm_token"][1]}"]\n')

    (memory.home / "index" / "sources.db").unlink()
    report = memory.again().imports()

    assert (report["new"], report["revised"]) == (0, 0)
