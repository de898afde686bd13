"""Faults of files: cut, flipped, gone, of every kind of file that a job reads, times unchanged."""

import os
from pathlib import Path

from fault_folder import Folder, count_jobs, digest, flip_bit, output_of, rules_in_error
from fault_round import Round, damaged_message, exactly
from made_folders import ANSWERS, BASE_URL, CACHE, LOCK_FILE, SENTENCES, write_urls

MOST_JOBS = 10


def choose_file(this: Round) -> tuple[str, str, str]:
    """Choose an intermediate output whose kind (its ending) has its turn, a file of it, and a reader."""
    reference = this.reference
    kinds: dict[str, list[str]] = {}
    for name in sorted(reference.outputs):
        if reference.readers(name):
            kinds.setdefault(Path(name).suffix, []).append(name)
    ending = sorted(kinds)[this.turn % len(kinds)]
    # Those that little is made from, as far as there are some.
    jobs = {name: count_jobs(reference.outputs, reference.after(name)) for name in kinds[ending]}
    name = this.rng.choice([name for name in kinds[ending] if jobs[name] <= max(MOST_JOBS, min(jobs.values()))])
    files = [file for file in sorted(reference.files) if output_of(file, [name]) and reference.files[file]]
    return name, this.rng.choice(files), this.rng.choice(reference.readers(name))


def damage(this: Round, cut: bool) -> Folder:
    """Damage an intermediate file: its reader names it with its sha256 and the mend, and nothing is made of it."""
    output, name, reader = choose_file(this)
    folder = this.start(this.reference.after(reader))
    file = folder.path / name
    whole, times = digest(file), file.stat()
    if cut:
        size = this.rng.choice([0, this.rng.randrange(times.st_size), times.st_size - 1])
        os.truncate(file, size)
        silently = this.turn % 2 == 0
        if silently:
            os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
        this.say(f"{name} cut from {times.st_size} to {size} bytes{', its times unchanged' if silently else ''}")
    else:
        this.say(f"bit flipped at byte {flip_bit(file, this.rng)} of {name}, its times unchanged")
    run = this.refused(folder, *damaged_message(name, digest(file), whole, output), keeps=name)
    this.say(f"named by {', '.join(rules_in_error(run.said))}")
    this.lose(folder, output)
    return folder


def cut_file(this: Round) -> Folder:
    """A file cut short or emptied, silently or not."""
    return damage(this, cut=True)


def flipped_bit(this: Round) -> Folder:
    """A flipped bit in a file that is read."""
    return damage(this, cut=False)


def flipped_download(this: Round) -> Folder:
    """A flipped bit of a download, in one of three places: both hashes are named, and nothing is used."""
    lang = this.rng.choice(["eng", "spa"])
    fetched, texts = f"results/sources/texts/{lang}.txt", f"results/corpora/fetched/{lang}.parquet"
    where = ("in the mirror", "in the mirror and its table", "after the download")[this.turn % 3]
    after = where == "after the download"
    folder = this.start(this.reference.after(texts if after else fetched))
    mirror = folder.path / "mirror"
    damaged = folder.path / fetched if after else mirror / f"{lang}.txt"
    whole, right = damaged.read_bytes(), digest(damaged)
    place = flip_bit(damaged, this.rng)
    if where == "in the mirror and its table":
        write_urls(mirror)
    this.say(f"bit flipped at byte {place} of {lang}.txt {where}")
    named = fetched if after else f"{BASE_URL}/{lang}.txt"
    run = this.refused(folder, right, digest(damaged), named, f"{lang}.txt", keeps=fetched if after else "")
    if after:
        this.lose(folder, fetched)
    else:
        assert list((folder.results / "sources").rglob("*.part")) == []
        damaged.write_bytes(whole)
        write_urls(mirror)
    this.say(f"named by {', '.join(rules_in_error(run.said))}")
    return folder


def vanished_file(this: Round) -> Folder:
    """A file of the mirror, or its table, is gone: named; put back, it finishes."""
    lang = this.rng.choice(["eng", "spa"])
    folder = this.start(this.reference.after(f"results/sources/texts/{lang}.txt"))
    name, said = (
        ("urls.tsv", "mirror: mirror has no urls.tsv"),
        (f"{lang}.txt", f"mirror/urls.tsv: {lang}.txt is listed for {BASE_URL}/{lang}.txt but is not there"),
    )[this.turn % 2]
    gone = folder.path / "mirror" / name
    away = gone.rename(folder.path / f"{name}.away")
    this.refused(folder, said)
    this.say(f"mirror/{name} gone and named")
    away.rename(gone)
    return folder


def damaged_lock_file(this: Round) -> Folder:
    """A flipped bit in the lock file, or a cut one: an error that names it, and no other hash is learnt."""
    fetched = "results/sources/texts/eng.txt"
    folder = this.start(this.reference.after(fetched))
    lock = folder.path / LOCK_FILE
    whole = lock.read_bytes()
    assert whole.count(b"\n") == 2, whole
    if cut := this.turn % 3 == 2:
        # Within a line: without a whole one, it is as if the line had been removed, which is what is to be done to
        # expect another file.
        header = whole.index(b"\n") + 1
        size = this.rng.choice([0, this.rng.randrange(1, header - 1), this.rng.randrange(header + 1, len(whole) - 1)])
        times = lock.stat()
        os.truncate(lock, size)
        os.utime(lock, ns=(times.st_atime_ns, times.st_mtime_ns))
    else:
        size = flip_bit(lock, this.rng)
    damaged = lock.read_bytes()
    this.refused(folder, LOCK_FILE)
    assert lock.read_bytes() == damaged
    this.say(f"{LOCK_FILE} {f'cut to {size} bytes' if cut else f'flipped at byte {size}'} and named")
    # As from version control.
    lock.write_bytes(whole)
    return folder


def damaged_cache(this: Round) -> Folder:
    """A flipped bit, a cut or an empty cache of answers: named, and nothing asked that is not lost."""
    folder = this.start(this.reference.after(ANSWERS))
    cache = folder.path / CACHE
    whole, times = cache.read_bytes(), cache.stat()
    what = ("flipped", "cut", "flipped", "empty")[this.turn % 4]
    if what == "flipped":
        this.say(f"bit flipped at byte {flip_bit(cache, this.rng)} of {CACHE}")
    else:
        size = 0 if what == "empty" else this.rng.randrange(1, len(whole))
        os.truncate(cache, size)
        os.utime(cache, ns=(times.st_atime_ns, times.st_mtime_ns))
        this.say(f"{CACHE} cut to {size} of {len(whole)} bytes")
    damaged = cache.read_bytes()
    run = folder.run()
    assert sum(this.server.paid.values()) == 0, run.said
    if run.code == 0:
        # A bit that holds nothing: free space of a page, or a number that SQLite does not use.
        this.say("which holds nothing: every answer was there")
        this.cost = exactly(0)
        this.must_run = set()
        return folder
    assert f"{CACHE}: " in run.said and "restore a copy" in run.said, run.said
    assert folder.half_written(this.reference.files) == [] and cache.read_bytes() == damaged, run.said
    if this.turn % 8 < 4:
        cache.write_bytes(whole)
    else:
        cache.unlink()
    this.cost = exactly(0 if cache.exists() else len(SENTENCES))
    this.say("named, and " + ("restored" if cache.exists() else "moved away: all is asked anew"))
    return folder
