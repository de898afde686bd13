"""A model file on this machine: served while it is asked, and not a moment longer."""

import dataclasses
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("xllamacpp")

from textparity.llm.cache import ResponseCache
from textparity.llm.client import ask_all
from textparity.llm.errors import LanguageModelError
from textparity.llm.exchange import Request
from textparity.llm.local import serving
from textparity.llm.models import ModelRow

pytestmark = pytest.mark.local_llm
