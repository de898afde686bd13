"""Keep the tests, and every Python that they start, from all servers but those of this machine.

Python imports a module of this name when it starts, from `PYTHONPATH` (tests/conftest.py).
"""

import sys

_TO_AN_ADDRESS = ("socket.connect", "socket.sendto", "socket.sendmsg")
_OF_A_NAME = ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr")


def allow_loopback_alone(event: str, arguments: tuple) -> None:
    """Raise `RuntimeError` before another machine is asked. No code takes this for a server that is down."""
    if event in _TO_AN_ADDRESS:
        # Other addresses are paths of files, or belong to the system.
        host = arguments[1][0] if isinstance(arguments[1], tuple) else None
    elif event in _OF_A_NAME:
        host = arguments[0]
    elif event == "socket.getnameinfo":
        host = arguments[0][0]
    else:
        return
    if isinstance(host, bytes):
        host = host.decode()
    if isinstance(host, str) and not _is_this_machine(host):
        raise RuntimeError(f"a test may not use the network, but {event} was called for {host} (CONTRIBUTING.md)")


def _is_this_machine(host: str) -> bool:
    # Imported here, because every Python that the tests start would wait for it.
    from ipaddress import ip_address

    if host in ("", "localhost"):
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


sys.addaudithook(allow_loopback_alone)
