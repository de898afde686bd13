"""A folder of Stanza's models, of which only being there counts."""

import json


def write_stanza_folder(folder):
    """Write a folder with an official model, a stand-in, and one that is only listed; return its path."""
    index = {}
    for code, package in (("sv", "talbanken"), ("da", "ddt_standin")):
        (folder / code / "tokenize").mkdir(parents=True)
        (folder / code / "tokenize" / f"{package}.pt").touch()
        index[code] = {"tokenize": {package: {"md5": "0"}}, "packages": {"default": {"tokenize": package}}}
    (folder / "resources.json").write_text(json.dumps(index | {"fi": {"packages": {"default": {"tokenize": "tdt"}}}}))
    return str(folder)
