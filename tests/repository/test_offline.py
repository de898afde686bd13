"""The tests use no network and start without downloads (tests/conftest.py)."""

import socket
import subprocess
import sys

import pytest

from textparity.auditing.languages import cache_folder

ATTEMPTS = {
    # Addresses and a name that are kept free for documents (RFC 5737, 3849, 2606).
    "connect": "socket.create_connection(('192.0.2.1', 80), 1)",
    "connect, IPv6": "socket.socket(socket.AF_INET6).connect(('2001:db8::1', 80))",
    "send": "socket.socket(type=socket.SOCK_DGRAM).sendto(b'', ('192.0.2.1', 53))",
    "name": "socket.getaddrinfo('example.org', 80)",
    "name of an address": "socket.gethostbyaddr('192.0.2.1')",
    "name of an address and port": "socket.getnameinfo(('192.0.2.1', 80), 0)",
    "download": "import requests; requests.get('http://example.org')",
}


@pytest.mark.parametrize("attempt", ATTEMPTS.values(), ids=ATTEMPTS)
def test_no_other_machine_is_reached_from_here_or_from_what_is_started(attempt):
    with pytest.raises(RuntimeError, match="a test may not use the network"):
        exec(f"import socket; {attempt}")
    done = subprocess.run([sys.executable, "-c", f"import socket; {attempt}"], capture_output=True, text=True)
    assert done.returncode == 1 and "RuntimeError: a test may not use the network" in done.stderr


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_this_machine_is_reached(host):
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection((host, server.getsockname()[1])).close()


def test_no_download_of_this_machine_is_seen():
    code = "from textparity.auditing.languages import cache_folder; print(cache_folder())"
    started = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert started.stdout.strip() == str(cache_folder())
    assert not any(cache_folder().rglob("*.json"))
