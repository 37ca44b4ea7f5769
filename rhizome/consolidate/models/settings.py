"""Who is asked: `[distill]` in `rhizome.toml`, with keys that come from the environment and stand in no file."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from rhizome.config import DISTILL_BUDGET_TOKENS
from rhizome.consolidate.models import anthropic, openai
from rhizome.consolidate.models.command import Command
from rhizome.consolidate.models.port import Model
from rhizome.consolidate.models.posting import PATIENT, Endpoint, Patience
from rhizome.errors import Refused

RULES = "rules"
BACKENDS = (RULES, "openai", "anthropic", "command")

KEY = "RHIZOME_DISTILL_KEY"
VENDORS_KEY = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}
"""Variables that hold the key: ours first, then the one that a vendor's other programs read."""

HINT = "Mend [distill] in rhizome.toml; `docs/models.md` shows what it may say."


class Distill(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What `[distill]` may say."""

    backend: str = RULES
    url: str = ""
    model: str = ""
    command: tuple[str, ...] = ()
    budget_tokens: int = DISTILL_BUDGET_TOKENS


@dataclass(frozen=True, slots=True)
class World:
    """What asking needs of the world: variables, a folder for programs to run in, and how to wait."""

    environment: Mapping[str, str]
    folder: Path
    wait: Callable[[float], None]
    patience: Patience = PATIENT


def distill(settings: Mapping[str, Any]) -> Distill:
    """`[distill]` of a home's settings. Refused where it says what it cannot mean."""
    try:
        found = msgspec.convert(settings.get("distill", {}), Distill)
    except msgspec.ValidationError as wrong:
        raise Refused(f"rhizome.toml: [distill]: {wrong}", HINT) from None
    if found.backend not in BACKENDS:
        raise Refused(f"rhizome.toml: [distill] backend: {found.backend!r} is none of {', '.join(BACKENDS)}", HINT)
    if found.budget_tokens < 0:
        raise Refused("rhizome.toml: [distill] budget_tokens: less than nothing", HINT)
    return found


def chosen(settings: Distill, world: World) -> Model | None:
    """The model to ask; None where rules alone distill. Refused where something it needs is missing."""
    if settings.backend == RULES:
        return None
    if settings.backend == "command":
        if not settings.command:
            raise Refused("rhizome.toml: [distill] command: missing", HINT)
        return Command(settings.command, world.environment, world.folder, settings.model)
    if not settings.model:
        raise Refused("rhizome.toml: [distill] model: missing", HINT)
    if settings.backend == "anthropic":
        url = _checked(anthropic.address(settings.url or anthropic.URL))
        headers = {"anthropic-version": anthropic.VERSION, **_key("x-api-key", "", settings, url, world)}
        return anthropic.Anthropic(Endpoint(url, headers, world.wait, world.patience), settings.model)
    url = _checked(openai.address(settings.url or openai.URL))
    headers = _key("authorization", "Bearer ", settings, url, world)
    return openai.OpenAI(Endpoint(url, headers, world.wait, world.patience), settings.model)


def _checked(url: str) -> str:
    """An address that can be posted to and holds no key itself."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise Refused(f"rhizome.toml: [distill] url: {url!r} is no http or https address", HINT)
    if parts.username or parts.password or parts.query:
        raise Refused("rhizome.toml: [distill] url: holds a name, a password or a query", f"Keys come from {KEY}.")
    return url


def _key(header: str, before: str, settings: Distill, url: str, world: World) -> dict[str, str]:
    """The header with the key, if there is one. Over plain HTTP a key goes no further than this machine."""
    key = world.environment.get(KEY) or world.environment.get(VENDORS_KEY[settings.backend], "")
    parts = urlsplit(url)
    private = parts.scheme == "https" or _is_here(parts.hostname or "")
    return {header: f"{before}{key.strip()}"} if key.strip() and private else {}


def _is_here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
