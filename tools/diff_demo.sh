#!/usr/bin/env bash
# Compare the demo's results of the working tree with those of a commit, byte for byte; exit code 1 if any file differs.
#
#   tools/diff_demo.sh BIN [COMMIT]
#
# BIN is a folder with snakemake. The results of a commit are kept in demo-diff/, so that each commit runs once. Only
# run/run.json has the time and machine of a run, so it is excluded.
set -euo pipefail
bin=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
commit=$(git rev-parse --short "${2:-HEAD}")

run() { # CODE RESULTS; in the same place beside the code, because results hold paths
    rm -rf "$1/demo-diff/run" "$2"
    mkdir -p "$1/demo-diff/run"
    env -u TEXTPARITY_MIRROR PYTHONPATH="$1/src" "$bin/snakemake" --cores "${CORES:-2}" --snakefile "$1/Snakefile" \
        --directory "$1/demo-diff/run" --configfile "$1/resources/demo/config.yaml" >"$2.log" 2>&1 ||
        { cat "$2.log"; exit 2; }
    rm "$1/demo-diff/run/results/run/run.json"
    mv "$1/demo-diff/run/results" "$2"
}

before="$PWD/demo-diff/$commit" after="$PWD/demo-diff/working-tree"
mkdir -p demo-diff
if [ ! -d "$before" ]; then
    git worktree add --force --detach "$before.code" "$commit" >/dev/null 2>&1
    run "$before.code" "$before"
    git worktree remove --force "$before.code"
fi
run "$PWD" "$after"
git diff --no-index --stat=160 "$before" "$after" && echo "The results are those of $commit."
