"""One key of a note's front matter changed in place: only that key's lines, everything else byte for byte."""

import json
import re
from collections.abc import Sequence

import yaml

from rhizome.errors import Refused
from rhizome.graph import frontmatter

KEY = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,60}")
PLAIN = re.compile(r"[^\W\d][\w ./-]*(?<! )")
READ_OTHERWISE = re.compile(r"(?:true|false|yes|no|on|off|null|y|n|inf|nan)", re.IGNORECASE)
ITEM = re.compile(r"([ \t]*-[ \t]+)(.*?)[ \t]*")
LINE_ENDING = re.compile(r"\r\n|\n|\r")

Value = str | Sequence[str] | None


def edit(data: bytes, key: str, value: Value) -> bytes:
    """`data` with front matter `key` set to a text or a list of texts, or without it (None).

    A note without front matter gets some. Line endings, order, comments and the style of a list stay. Raises Refused
    for bytes that are no UTF-8 and for front matter that cannot be read, since nobody can say what a change would do.
    """
    if not KEY.fullmatch(key):
        raise Refused(f"{key!r} is no front matter key", hint="A key is letters, digits, `-` and `_`.")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused("the note is no UTF-8 text", hint="Save it as UTF-8 first.") from None
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    lines, endings = _lines(text.removeprefix("\ufeff"))
    eol = endings[0] or "\n"
    end = _end(lines)
    if end is None:
        if value is None:
            return data
        block = ["---", *_rendered(key, value), "---"]
        changed = "".join(line + eol for line in block) + text.removeprefix(mark)
        return _checked(data, (mark + changed).encode(), key, value)
    start, stop, new = _change(lines, end, key, value)
    kept = [line + ending for line, ending in zip(lines, endings, strict=True)]
    added = [line + eol for line in new]
    return _checked(data, (mark + "".join([*kept[:start], *added, *kept[stop:]])).encode(), key, value)


def _lines(text: str) -> tuple[list[str], list[str]]:
    endings = LINE_ENDING.findall(text)
    return LINE_ENDING.split(text), [*endings, ""]


def _end(lines: Sequence[str]) -> int | None:
    """The index of the line that closes the front matter; None where there is none; raises Refused for a broken one."""
    found = frontmatter.read("", lines)
    if found.findings and not found.lines:
        raise Refused(f"front matter: {found.findings[0].message}", hint="Repair it in an editor first.")
    if frontmatter.TOML_RULE.fullmatch(lines[0]) and found.lines:
        raise Refused("the front matter is TOML", hint="Change it in an editor.")
    return found.lines - 1 if found.lines else None


def _change(lines: Sequence[str], end: int, key: str, value: Value) -> tuple[int, int, list[str]]:
    """Which lines to replace, and by what."""
    node = frontmatter.mapping("\n".join(lines[1:end]))
    pairs = [pair for pair in node.value if pair[0].value == key] if node else []
    if not pairs:
        return end, end, [] if value is None else _rendered(key, value)
    start = pairs[-1][0].start_mark.line + 1  # of a key that stands twice the last one counts
    if node is None or node.flow_style or (len(pairs) > 1 and value is None):
        raise Refused(f"front matter: `{key}` stands twice or in braces", hint="Change it in an editor.")
    stop = start + 1
    for index in range(start + 1, end):
        line = lines[index]
        if line.startswith((" ", "\t", "- ")) or line == "-":
            stop = index + 1
        elif line and not line.startswith("#"):
            break
    if value is None:
        return start, stop, []
    return start, stop, _restyled(lines[start:stop], pairs[-1][1], value)


def _restyled(old: Sequence[str], node: yaml.Node, value: str | Sequence[str]) -> list[str]:
    """The key's new lines in the style of its old ones: a block list stays one, a comment after a value stays."""
    written = old[0].partition(":")[0] + ":"
    if not isinstance(value, str) and isinstance(node, yaml.SequenceNode) and not node.flow_style:
        items = [(match, line) for line in old[1:] if (match := ITEM.fullmatch(line))]
        if items and len(items) == len(old) - 1 == len(node.value):
            known = {str(item.value): line for item, (_, line) in zip(node.value, items, strict=True)}
            new = [known.get(text, items[0][0][1] + _scalar(text)) for text in value]
            return [old[0], *new] if new else [f"{written} []"]
    tail = ""
    if len(old) == 1 and node.end_mark.line == node.start_mark.line and node.end_mark.column <= len(old[0]):
        tail = old[0][node.end_mark.column :].rstrip()
    return [f"{written} {_inline(value)}{tail if tail.lstrip().startswith('#') else ''}"]


def _rendered(key: str, value: str | Sequence[str]) -> list[str]:
    return [f"{key}: {_inline(value)}"]


def _inline(value: str | Sequence[str]) -> str:
    return _scalar(value) if isinstance(value, str) else f"[{', '.join(map(_scalar, value))}]"


def _scalar(text: str) -> str:
    """`text` as YAML that every reader takes for this text."""
    if PLAIN.fullmatch(text) and not READ_OTHERWISE.fullmatch(text):
        return text
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(letter if letter.isprintable() else _escaped(letter) for letter in quoted)


def _escaped(letter: str) -> str:
    return f"\\u{ord(letter):04x}" if ord(letter) < 0x10000 else f"\\U{ord(letter):08x}"


def _checked(before: bytes, after: bytes, key: str, value: Value) -> bytes:
    """`after`, if its front matter says what was asked and otherwise what it said; else Refused."""
    wanted = {name: said for name, said in _said(before).items() if name != key}
    if value is not None:
        wanted[key] = value if isinstance(value, str) else list(value)
    if _said(after) != wanted:
        raise Refused(f"front matter: `{key}` cannot be changed without changing more", hint="Change it in an editor.")
    return after


def _said(data: bytes) -> dict[str, object]:
    lines, _ = _lines(data.decode("utf-8-sig"))
    end = _end(lines)
    node = frontmatter.mapping("\n".join([*lines[1:end], ""])) if end is not None else None
    return {str(name.value): _plain(value) for name, value in node.value} if node else {}


def _plain(node: yaml.Node) -> object:
    if isinstance(node, yaml.ScalarNode):
        return node.value
    if isinstance(node, yaml.SequenceNode) and all(isinstance(item, yaml.ScalarNode) for item in node.value):
        return [item.value for item in node.value]
    return yaml.serialize(node)
