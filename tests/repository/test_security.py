"""What must never be in the code: ways in which a file that is read becomes code that runs."""

import ast

import pytest

CODE = ("src/**/*.py", "scripts/**/*.py")
# Modules that load objects by running what a file says.
PICKLES = {"pickle", "cPickle", "dill", "cloudpickle", "shelve", "marshal"}


def dangers(text):
    """Return what of `text` may run what it reads: (line, what)."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in node.names] + [getattr(node, "module", None) or ""]
            found += [(node.lineno, name) for name in names if name.split(".")[0] in PICKLES]
        if not isinstance(node, ast.Call):
            continue
        called = ast.unparse(node.func)
        options = {word.arg: ast.unparse(word.value) for word in node.keywords}
        if called.endswith("torch.load") and options.get("weights_only") != "True":
            found.append((node.lineno, "torch.load without weights_only=True"))
        if called in ("eval", "exec", "joblib.load", "yaml.load", "os.system", "pd.read_pickle"):
            found.append((node.lineno, called))
        if called.endswith((".extractall", ".unpack_archive")):
            found.append((node.lineno, called))
        for option in ("trust_remote_code", "allow_pickle", "shell"):
            if options.get(option, "False") != "False":
                found.append((node.lineno, option))
        if called.endswith("Environment") and options.get("loader") and options.get("autoescape") != "True":
            found.append((node.lineno, "templates without autoescape=True"))
    return found


@pytest.mark.parametrize(
    "text",
    [
        "import pickle",
        "from joblib import load as read\nimport dill.source",
        "torch.load(path)",
        "torch.load(path, weights_only=False)",
        "joblib.load(path)",
        "np.load(path, allow_pickle=True)",
        "AutoModel.from_pretrained(name, trust_remote_code=True)",
        "archive.extractall(folder)",
        "subprocess.run(line, shell=True)",
        "Environment(loader=loader)",
        "eval(text)",
    ],
)
def test_the_search_finds(text):
    assert dangers(text)


def test_nothing_that_is_read_is_run(repository):
    found = {
        f"{path.relative_to(repository)}:{line}: {what}"
        for pattern in CODE
        for path in repository.glob(pattern)
        for line, what in dangers(path.read_text("utf-8"))
    }
    assert found == set()
