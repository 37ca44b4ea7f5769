"""Front matter: what the head of a note says about it, read without ever losing a word.

Five keys count (`title`, `aliases`, `tags`, `tier`, `derived`) and all are read as the text that was written: `no`,
`012`, `1:30` and dates stay text. A block that cannot be read stays in the body, is reported, and its known keys are
then read line by line, so that a broken block still keeps a private note private.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from rhizome.model import Finding

if TYPE_CHECKING:
    import yaml  # loaded with the first front matter there is to read: most answers read none

MAX_CHARS = 64 * 1024
"""A larger block is taken as text: YAML is parsed in memory and no person writes so much of it."""

MAX_TOML = 8 * 1024
"""The same for TOML, whose reader takes quadratic time."""

MAX_ITEMS = 1_000
"""As many aliases and tags are read from one note."""

RULE = re.compile(r"---[ \t]*")
END = re.compile(r"(?:---|\.\.\.)[ \t]*")
TOML_RULE = re.compile(r"\+\+\+[ \t]*")
KNOWN = re.compile(r"(title|alias|aliases|tag|tags|tier|derived)[ \t]*(?::(?:[ \t]+|$)|=)(.*)", re.IGNORECASE)
LIST_ITEM = re.compile(r"[ \t]*-[ \t]+(.*)")
KEY_LINE = re.compile(r"[\w\"'-][\w \"'-]{0,80}:(?:\s|$)")
HASHTAG = re.compile(r"[\s,]#[^\s#]")
LOGSEQ = re.compile(r"(?:- )?([\w-]{1,40}):: ?(.*)")
RENDERING = re.compile(r"[0-9a-f]{12}")
UNCLEAR = "amber"
"""What a tier means that is no word, such as a list: whoever wrote it meant to keep something to themselves."""

ONE_NAME = {"alias": "aliases", "tag": "tags"}

Value = str | list[str] | None


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What was read, and how many of the note's first lines are not part of its text."""

    title: str | None = None
    aliases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    tier: str | None = None
    derived: str | None = None
    lines: int = 0
    findings: tuple[Finding, ...] = ()


def read(path: str, lines: Sequence[str]) -> FrontMatter:
    """The front matter at the head of a note's lines (given without their line endings). Never raises."""
    if not lines:
        return FrontMatter()
    if RULE.fullmatch(lines[0]):
        return _yaml(path, lines)
    if TOML_RULE.fullmatch(lines[0]):
        return _toml(path, lines)
    if not lines[0].strip():
        return _after_blank(path, lines)
    said = {match[1].lower(): match[2] for match in map(LOGSEQ.fullmatch, takewhile(str.strip, lines[:50])) if match}
    return _fields(said) if said else FrontMatter()


def mapping(block: str) -> "yaml.MappingNode | None":
    """The block as a YAML mapping node with its marks, None when it is empty; raises ValueError for anything else."""
    import yaml
    from frontmatter.default_handlers import YAMLHandler

    class Nodes(getattr(yaml, "CBaseLoader", yaml.BaseLoader)):  # type: ignore[misc]
        """Hands out nodes instead of values: what was written, where it stands, and keys that stand twice."""

        def get_single_data(self) -> object:
            return self.get_single_node()

    try:
        node = YAMLHandler().load(block, Loader=Nodes)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise _Unread(error.problem or "it is no YAML", mark.line if mark else 0) from None
    except (yaml.YAMLError, RecursionError, ValueError, OverflowError):
        raise _Unread("it is no YAML", 0) from None
    if node is None or isinstance(node, yaml.MappingNode):
        return node
    raise _Unread("it is not made of `key: value` lines", 0)


class _Unread(ValueError):
    """Why a block is taken as text, and in which of its lines."""

    def __init__(self, why: str, line: int) -> None:
        super().__init__(why)
        self.line = line


def _yaml(path: str, lines: Sequence[str]) -> FrontMatter:
    end = next((index for index in range(1, len(lines)) if END.fullmatch(lines[index])), None)
    if end is None:
        return _unclosed(path, lines)
    block = lines[1:end]
    if sum(map(len, block)) > MAX_CHARS:
        return _as_text(path, block, 1, "front-matter-too-large", "the front matter is larger than 64 KB")
    try:
        node = mapping("\n".join(block))
    except _Unread as error:
        what = f"the front matter is kept as text: {error}"
        return _as_text(path, block, error.line + 2, "front-matter-invalid", what)
    if node is None and any(map(str.strip, block)):
        return FrontMatter()  # headings between two rules are comments to YAML, and text to whoever wrote them
    values, findings = _values(path, node, block)
    return replace(_fields(values), lines=end + 1, findings=(*findings, *_second_block(path, lines, end + 1)))


def _values(
    path: str, node: "yaml.MappingNode | None", block: Sequence[str]
) -> tuple[dict[str, Value], list[Finding]]:
    values: dict[str, Value] = {}
    findings = []
    seen = set()
    for key, value in node.value if node else ():
        line, col = key.start_mark.line + 2, key.start_mark.column + 1
        if key.id != "scalar":
            findings.append(Finding(path, line, col, "front-matter-odd-key", "a key is not a word; it is not read"))
            continue
        if key.value in seen:
            message = f"`{key.value}` stands twice; the last one counts"
            findings.append(Finding(path, line, col, "front-matter-duplicate-key", message))
        seen.add(key.value)
        name = key.value.strip().lower()
        name = ONE_NAME.get(name, name)
        text = UNCLEAR if name == "tier" and value.id != "scalar" else _text(value)
        if name == "tags" and HASHTAG.search(raw := block[line - 2]) and not isinstance(text, list):
            text = raw.partition(":")[2]  # `tags: #a #b`: YAML takes them for a comment
        if not (name == "tier" and _guarded(values.get(name))):
            values[name] = text
    return values, findings


def _guarded(tier: Value) -> bool:
    """Whether an earlier `tier` line already keeps the note from being shared; a later one does not lift that."""
    return _tier(tier) not in (None, "green")


def _text(node: Any) -> Value:
    if node.id == "scalar":
        return None if not node.style and node.value in ("", "~", "null") else str(node.value)
    if node.id == "sequence":
        return [str(item.value) for item in node.value[:MAX_ITEMS] if item.id == "scalar"]
    return None


def _toml(path: str, lines: Sequence[str]) -> FrontMatter:
    import tomllib

    end = next((index for index in range(1, len(lines)) if TOML_RULE.fullmatch(lines[index])), None)
    if end is None:
        return FrontMatter()
    block = "\n".join(lines[1:end])
    if len(block) > MAX_TOML:
        return _as_text(path, lines[1:end], 1, "front-matter-too-large", "the TOML front matter is larger than 8 KB")
    try:
        table = tomllib.loads(block)
    except (ValueError, RecursionError) as error:
        what = f"the TOML front matter is kept as text: {error}"
        return _as_text(path, lines[1:end], 1, "front-matter-invalid", what)
    values: dict[str, Value] = {
        ONE_NAME.get(key.lower(), key.lower()): list(map(str, value)) if isinstance(value, list) else str(value)
        for key, value in table.items()
        if not isinstance(value, dict)
    }
    if any(key.lower() == "tier" and not isinstance(value, str) for key, value in table.items()):
        values["tier"] = UNCLEAR
    return replace(_fields(values), lines=end + 1)


def _unclosed(path: str, lines: Sequence[str]) -> FrontMatter:
    if len(lines) < 2 or not KEY_LINE.match(lines[1]):
        return FrontMatter()  # a rule that opens the text, nothing more
    block = list(takewhile(str.strip, lines[1:200]))
    return _as_text(path, block, 1, "front-matter-unclosed", "the front matter is never closed; it is kept as text")


def _after_blank(path: str, lines: Sequence[str]) -> FrontMatter:
    first = next((index for index, line in enumerate(lines) if line.strip()), None)
    if first is None or first + 1 >= len(lines):
        return FrontMatter()
    if not RULE.fullmatch(lines[first]) or not KEY_LINE.match(lines[first + 1]):
        return FrontMatter()
    block = list(takewhile(str.strip, lines[first + 1 : first + 200]))
    message = "front matter starts in the first line; after a blank one it is text"
    return _as_text(path, block, first + 1, "front-matter-after-blank-line", message)


def _second_block(path: str, lines: Sequence[str], start: int) -> Iterator[Finding]:
    at = next((index for index in range(start, len(lines)) if lines[index].strip()), None)
    if at is not None and at + 1 < len(lines) and RULE.fullmatch(lines[at]) and KEY_LINE.match(lines[at + 1]):
        yield Finding(path, at + 1, 1, "front-matter-twice", "a second front matter block is text")


def _as_text(path: str, block: Sequence[str], line: int, code: str, message: str) -> FrontMatter:
    values: dict[str, Value] = {}
    for key, value in _loose(block[:MAX_ITEMS]):
        if not (key == "tier" and _guarded(values.get(key))):
            values[key] = value
    return replace(_fields(values), findings=(Finding(path, line, 1, code, message),))


def _loose(block: Sequence[str]) -> Iterator[tuple[str, Value]]:
    """The known keys of a block that is no YAML, line by line."""
    for index, line in enumerate(block):
        match = KNOWN.match(line)
        if not match:
            continue
        key, text = match[1].lower(), match[2].strip()
        key = ONE_NAME.get(key, key)
        if not text:
            items = takewhile(bool, map(LIST_ITEM.fullmatch, block[index + 1 :]))
            yield key, [item[1].strip(" \t\"'") for item in items if item]
        elif text[0] + text[-1] == "[]":
            yield key, [item.strip(" \t\"'") for item in text[1:-1].split(",")]
        else:
            yield key, text.strip("\"'")


def _fields(values: Mapping[str, Value]) -> FrontMatter:
    title, tier, derived = values.get("title"), values.get("tier"), values.get("derived")
    tags = values.get("tags") or ()
    tags = re.split(r"[,\s]+", tags) if isinstance(tags, str) else tags
    aliases = values.get("aliases") or values.get("alias")
    return FrontMatter(
        title=(" ".join(title.split()) or None) if isinstance(title, str) else None,
        aliases=_unique(aliases.split(",") if isinstance(aliases, str) else aliases or ()),
        tags=_unique(tag.strip().lstrip("#") for tag in tags),
        tier=_tier(tier),
        derived=derived if isinstance(derived, str) and RENDERING.fullmatch(derived) else None,
    )


def _tier(said: Value) -> str | None:
    """The tier a note names; what names none in a word keeps the note from being shared."""
    if said is None or isinstance(said, str):
        return (said or "").strip().casefold() or None
    return UNCLEAR


def _unique(texts: Iterator[str] | Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for text in (" ".join(each.split()) for each in texts) if text))[:MAX_ITEMS]
