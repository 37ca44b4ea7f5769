"""On what kind of disk a folder stands, as far as it matters: locks and syncs of shared and copied folders lie."""

import re
from pathlib import Path, PurePosixPath

SHARED = frozenset({
    "nfs", "nfs4", "cifs", "smb", "smb2", "smb3", "smbfs", "ncpfs", "afs", "afpfs", "ceph", "glusterfs", "lustre",
    "beegfs", "davfs", "webdav", "9p", "vboxsf", "vmhgfs", "fuse.sshfs", "fuse.rclone", "fuse.s3fs", "fuse.davfs",
    "fuse.davfs2", "fuse.gvfsd-fuse", "fuse.vmhgfs-fuse", "fuse.glusterfs", "fuse.ceph", "fuse.onedriver",
})  # fmt: skip
"""File systems whose other end is another machine or another system."""

CLOUDS = re.compile(
    r"dropbox(?: \(.*\))?|onedrive(?: - .*)?|google ?drive|my drive|googledrive-.*|icloud ?drive|mobile documents"
    r"|com~apple~clouddocs|cloudstorage|nextcloud|owncloud|pcloud ?drive|megasync|box sync|box-box|yandex\.disk"
    r"|proton ?drive", re.IGNORECASE)
"""Folders that a program copies elsewhere, file by file, while they are written."""

MOUNTS = Path("/proc/self/mounts")


def kind(folder: Path, mounts: str) -> str | None:
    """What is wrong with where `folder` stands; None for a disk of this machine. `mounts` is as Linux has it."""
    held = next((part for part in folder.parts if CLOUDS.fullmatch(part)), None)
    if held is not None:
        return f"a folder that a program copies elsewhere ({held})"
    if any((above / ".stfolder").exists() for above in (folder, *folder.parents)):
        return "a folder that Syncthing copies elsewhere"
    system = _file_system(folder, mounts)
    return f"a file system of another machine ({system})" if system in SHARED else None


def mounts() -> str:
    """What is mounted here; nothing where the system does not say it so."""
    try:
        return MOUNTS.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return ""


def _file_system(folder: Path, mounts: str) -> str:
    """The type of the deepest mount above a folder; of several at one point the last."""
    best, system = -1, ""
    for line in mounts.split("\n"):
        fields = line.split(" ")
        if len(fields) > 2:
            point = PurePosixPath(re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), fields[1]))
            if len(point.parts) >= best and PurePosixPath(folder).is_relative_to(point):
                best, system = len(point.parts), fields[2]
    return system
