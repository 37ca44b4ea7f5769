"""Where the editors that grew out of VS Code keep what their extensions and chats write."""

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote, urlsplit

EDITORS = ("Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf", "Trae")


def user_folders(environment: Mapping[str, str], user_home: Path) -> list[Path]:
    """The `User` folders of every editor on Linux, macOS and Windows, and of a remote's server; they need not exist."""
    windows, linux = environment.get("APPDATA"), environment.get("XDG_CONFIG_HOME")
    bases = (
        Path(linux) if linux else user_home / ".config",
        user_home / "Library" / "Application Support",
        Path(windows) if windows else user_home / "AppData" / "Roaming",
    )
    servers = [user_home / name / "data" / "User" for name in (".vscode-server", ".cursor-server")]
    return [base / editor / "User" for base in bases for editor in EDITORS] + servers


def workspace(storage: Path) -> str | None:
    """The folder on this machine that a `workspaceStorage/<hash>` is of."""
    with suppress(OSError, ValueError):
        told = json.loads((storage / "workspace.json").read_text(encoding="utf-8"))
        folder = told.get("folder") if isinstance(told, dict) else None
        return unquote(urlsplit(folder).path) or None if isinstance(folder, str) else None
    return None
