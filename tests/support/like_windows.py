"""Make this Python lack what Windows lacks, and move or remove no open file, as there. Importing the module does it."""

import multiprocessing.resource_tracker
import os
import signal
import sys
from pathlib import Path

# Imported before the names are gone, because it goes other ways on Windows.
import platformdirs  # noqa: F401

MODULES = ("fcntl", "grp", "pwd", "resource", "termios")
FUNCTIONS = {
    os: ("O_NOFOLLOW", "chown", "fchmod", "fork", "geteuid", "getuid", "lchown", "mkfifo", "pathconf", "statvfs"),
    signal: ("SIGHUP", "SIGKILL", "SIGALRM", "SIG_BLOCK", "SIG_SETMASK", "pthread_sigmask"),
}


def check_not_open(path):
    """Raise `PermissionError` if this process has the file open."""
    open_files = set()
    for descriptor in Path("/proc/self/fd").iterdir():
        # That of the folder itself is gone by now.
        if descriptor.exists():
            open_files.add(os.path.realpath(descriptor))
    if os.path.realpath(path) in open_files:
        raise PermissionError(13, "The process cannot access the file because it is being used", str(path))


def checked(function):
    """Check the paths before the function is called."""

    def call(*paths, **options):
        for path in paths:
            check_not_open(path)
        return function(*paths, **options)

    return call


multiprocessing.resource_tracker._HAVE_SIGMASK = False
for module in MODULES:
    # An import of what is None fails.
    sys.modules[module] = None
for module, names in FUNCTIONS.items():
    for name in names:
        delattr(module, name)
for name in ("remove", "rename", "replace", "unlink"):
    setattr(os, name, checked(getattr(os, name)))
