"""Which project a session belongs to, as far as the folders on this machine tell."""

from pathlib import Path


def project_root(cwd: str) -> str:
    """The repository a folder lies in, as far as it stands on this machine now; else the folder itself."""
    path = Path(cwd)
    if not path.is_absolute():
        return cwd
    try:
        return str(next((place for place in (path, *path.parents) if (place / ".git").exists()), path))
    except OSError:
        return cwd
