"""Paragraphs that may hold links, and the links in them with their places, read by markdown-it.

The block parse is that of CommonMark with tables and footnotes; inline text is only parsed where a link can stand.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from rhizome.graph.reasons import Span

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

MAX_BRACKETS = 2_000
"""Brackets in one paragraph above which its links are not read: the parser's cost grows with their square."""

WIKI = re.compile(r"!?\[\[((?:[^\[\]\n]|\](?!\])){1,1000})\]\]")
LINKISH = re.compile(r"\]\(|\[\[|<[A-Za-z][^\s<>]{0,2000}[:\s>]")
MARKUP = re.compile(r"[\\`*_~\[\]<&!]")
A_TAG = re.compile(
    r"<a\s[^<>]{0,1000}?href\s*=\s*(?:\"([^\"\n]{0,2000})\"|'([^'\n]{0,2000})'|([^\s\"'<>]{1,2000}))", re.IGNORECASE
)
COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Inline source with the line (from 1, in the parsed text) it starts at, and what its block says about it."""

    source: str
    line: int
    first_in_item: bool = False
    html: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """A link in a paragraph: its kind (link, wiki, embed, image, html, autolink), where it stands and what it says."""

    kind: str
    span: Span
    target: str
    label: str
    title: str = ""
    reference: str = ""


@dataclass(slots=True)
class Page:
    """A parsed text: its paragraphs, and the reference definitions that its links may use."""

    paragraphs: list[Paragraph]
    env: dict[str, Any] = field(default_factory=dict)

    @property
    def references(self) -> Mapping[str, Mapping[str, Any]]:
        references: Mapping[str, Mapping[str, Any]] = self.env.get("references", {})
        return references


def page(text: str) -> Page:
    """The paragraphs of `text` outside code and comments, in order. Line endings are `\\n`."""
    parser = _parser()
    tokens: list[Token] = []
    env: dict[str, Any] = {}
    parser.block.parse(text, parser, env, tokens)
    return Page(list(_paragraphs(tokens)), env)


def marks(paragraph: Paragraph, env: dict[str, Any]) -> list[Mark] | None:
    """The links of a paragraph in order; None when it has too many brackets to be read."""
    if paragraph.html:
        return list(_html_marks(COMMENT.sub(_blank, paragraph.source)))
    if not LINKISH.search(paragraph.source) and not ("[" in paragraph.source and env.get("references")):
        return []
    if paragraph.source.count("[") + paragraph.source.count("<") > MAX_BRACKETS:
        return None
    tokens: list[Token] = []
    parser = _parser()
    parser.inline.parse(paragraph.source, parser, env, tokens)
    return list(_inline_marks(tokens))


def plain(source: str, env: dict[str, Any] | None = None) -> str:
    """What a reader sees of inline Markdown, in one line."""
    if MARKUP.search(source) and source.count("[") + source.count("<") <= MAX_BRACKETS:
        tokens: list[Token] = []
        parser = _parser()
        parser.inline.parse(source, parser, {} if env is None else env, tokens)
        source = "".join(map(_said, tokens))
    return " ".join(source.split())


def _paragraphs(tokens: Sequence["Token"]) -> Iterator[Paragraph]:
    for index, token in enumerate(tokens):
        line = token.map[0] + 1 if token.map else 1
        if token.type == "inline":
            opens = index >= 2 and tokens[index - 2].type == "list_item_open"
            yield Paragraph(token.content, line, first_in_item=opens)
        elif token.type == "html_block":
            yield Paragraph(token.content, line, html=True)


def _inline_marks(tokens: Sequence["Token"]) -> Iterator[Mark]:
    for index, token in enumerate(tokens):
        meta = token.meta
        if "span" not in meta:
            continue
        if token.type == "link_open":
            title = str(token.attrGet("title") or "")
            kind = "autolink" if token.markup == "autolink" else "link"
            label = _label(tokens, index)
            yield Mark(kind, meta["span"], str(token.attrGet("href") or ""), label, title, meta.get("label", ""))
        elif token.type == "image":
            label = " ".join("".join(map(_said, token.children or [])).split())
            yield Mark("image", meta["span"], str(token.attrGet("src") or ""), label)
        elif token.type == "wiki":
            yield Mark("embed" if token.markup == "!" else "wiki", meta["span"], token.info, token.content)
        elif token.type == "html_inline":
            for mark in _html_marks(token.content):
                yield Mark("html", meta["span"], mark.target, _label(tokens, index))


def _label(tokens: Sequence["Token"], index: int) -> str:
    """The words between an opening token and its closing one."""
    words = []
    for token in tokens[index + 1 : index + 200]:
        if token.type == "link_close" or (token.type == "html_inline" and token.content.lower().startswith("</a")):
            break
        words.append(_said(token))
    return " ".join("".join(words).split())


def _said(token: "Token") -> str:
    if token.type in ("softbreak", "hardbreak"):
        return " "
    if token.type == "image":
        return "".join(map(_said, token.children or []))
    return token.content if token.type in ("text", "text_special", "code_inline", "wiki") else ""


def _html_marks(html: str) -> Iterator[Mark]:
    for match in A_TAG.finditer(html):
        close = html.find("<", html.find(">", match.end()) + 1)
        label = html[html.find(">", match.end()) + 1 : close] if close > 0 else ""
        target = match[1] or match[2] or match[3] or ""
        yield Mark("html", Span(match.start(), match.end(), link=False), target, " ".join(label[:500].split()))


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


@cache
def _parser() -> "MarkdownIt":
    """The one parser; made on first use, since importing markdown-it costs a cold start more than most notes do."""
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import autolink, html_inline, image, link
    from mdit_py_plugins.footnote import footnote_plugin

    parser = MarkdownIt("commonmark", {"store_labels": True}).enable(["table", "strikethrough"])
    parser.use(footnote_plugin, inline=False)
    parser.normalizeLink = lambda url: url  # type: ignore[method-assign]  # what was written; decoded once, by us
    parser.validateLink = _any  # type: ignore[method-assign]  # a refused scheme is reported, not hidden
    for rule in (link, image, autolink, html_inline):
        parser.inline.ruler.at(rule.__name__, _placed(rule))
    parser.inline.ruler.before("link", "wiki", _wiki)
    return parser


def _any(url: str) -> bool:  # noqa: ARG001
    return True


def _placed(rule: Any) -> Any:
    """The inline rule, with the place of what it matched left in its first token's `meta`."""

    def placed(state: "StateInline", silent: bool) -> bool:
        start, count = state.pos, len(state.tokens)
        if not rule(state, silent):
            return False
        if not silent:
            token = state.tokens[count] if state.tokens[count].type != "text" else state.tokens[count + 1]
            token.meta["span"] = Span(start, state.pos, link=rule.__name__ in ("link", "autolink"))
        return True

    return placed


def _wiki(state: "StateInline", silent: bool) -> bool:
    """`[[target#anchor|label]]` and `![[target]]`; `[[x]](y.md)` stays the CommonMark link that it is."""
    from markdown_it.rules_inline import link

    match = WIKI.match(state.src, state.pos, state.posMax)
    if not match:
        return False
    embed = match[0][0] == "!"
    start = state.pos
    if not embed and state.src[match.end() : match.end() + 1] in ("(", "["):
        if link(state, True):
            state.pos = start
            return False
        state.pos = start
    if not silent:
        target, _, label = match[1].replace("\\|", "|").partition("|")
        token = state.push("wiki", "", 0)
        token.info, token.markup = target.strip(), "!" if embed else ""
        token.content = label.strip() or target.strip()
        token.meta["span"] = Span(start, match.end(), link=not embed)
    state.pos = match.end()
    return True
