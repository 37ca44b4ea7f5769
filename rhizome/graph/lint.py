"""What an author may have meant as a link, or lost where Markdown is not read."""

import re
from collections.abc import Iterator

from rhizome.graph.markdown import COMMENT, Page, Paragraph
from rhizome.graph.simple import without_code
from rhizome.model import Finding

SPACED = re.compile(r"\[[^\[\]\n]{0,300}\]\(([^()<>\n]{0,300}\.md(?:#[^()<>\n]{0,300})?)\)")
TITLE = re.compile(r"\s+(?:\"[^\"]*\"|'[^']*')\s*\Z")
LINK_IN_HTML = re.compile(r"\]\([^()\s]{1,1000}\)")
PATHLIKE = re.compile(r"[./#:]")


def lint(path: str, paragraph: Paragraph) -> Iterator[Finding]:
    """Findings about one paragraph or block of raw HTML."""
    source = paragraph.source
    if paragraph.html:
        if source.rfind("<!--") > source.rfind("-->"):
            message = "a comment that never ends hides the rest of the note"
            yield Finding(path, paragraph.line, 1, "unclosed-comment", message)
        if match := LINK_IN_HTML.search(COMMENT.sub(lambda each: " " * len(each[0]), source)):
            line = paragraph.line + source.count("\n", 0, match.start())
            yield Finding(path, line, 1, "link-in-html-block", "Markdown in raw HTML is read only after a blank line")
    elif "](" in source and ".md" in source:
        for match in SPACED.finditer(without_code(source)):
            written = match[1].strip()
            if any(map(str.isspace, TITLE.sub("", written))):
                line = paragraph.line + source.count("\n", 0, match.start())
                message = f"a destination with spaces is no link; write `(<{written}>)`"
                yield Finding(path, line, 1, "space-in-destination", message)


def unused_definitions(path: str, parsed: Page, used: set[str]) -> Iterator[Finding]:
    """Definitions that no link uses and that lead nowhere: most likely `[label]: why`, which shows nothing."""
    for label, definition in parsed.references.items():
        if label not in used and not PATHLIKE.search(str(definition["href"])):
            shown = label[:80].lower()
            message = f"`[{shown}]: ...` is a definition and shows nothing; a link is `[label](note.md): why`"
            yield Finding(path, definition["map"][0] + 1, 1, "looks-like-a-link", message)
