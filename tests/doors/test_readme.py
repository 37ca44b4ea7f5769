"""The README is tried word for word, and the reference is what the verbs say."""

import os
import re
import subprocess
import sys
from pathlib import Path

from rhizome import reference

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SETUP = re.compile(r"^```shell\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"# exit code (\d)$")
SAYS = re.compile(r"(identical)$")


def test_the_examples_of_the_readme_work_word_for_word(tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    kept = {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = kept | {"PATH": path, "HOME": str(tmp_path), "TZ": "UTC", "USER": "ines", "LANG": "C.UTF-8"}
    lines = [line for block in BLOCK.findall(README) for line in block.splitlines()]
    for line in lines:
        done = subprocess.run(["bash", "-c", line], cwd=tmp_path, env=environment, capture_output=True, text=True)
        code, says = CODE.search(line), SAYS.search(line)

        assert (int(code[1]) if code else 0) == done.returncode, f"$ {line}\n{done.stdout}{done.stderr}"
        assert (says[1] if says else "") in done.stdout, f"$ {line}\n{done.stdout}{done.stderr}"
    assert len(lines) > 20


def test_every_command_of_the_readme_is_in_an_example_or_the_set_up() -> None:
    blocks = "\n".join([*BLOCK.findall(README), *SETUP.findall(README)])

    for word in ("make demo", "make test", "pipx install .", "uvx --from . rhizome", "mcp add rhizome -- rhizome mcp"):
        assert word in blocks


def test_the_makefile_has_the_targets_that_the_readme_names() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")

    for target in re.findall(r"^make (\w+)", README, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)


def test_links_of_the_readme_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README.replace("[tidepool](tidepool.md)", "")):
        assert (ROOT / target).is_file(), target


def test_the_reference_is_what_the_verbs_say() -> None:
    assert (ROOT / "docs" / "reference.md").read_text(encoding="utf-8") == reference.page() + "\n", (
        "python -m rhizome.reference > docs/reference.md"
    )
