/* Read texts as the numbers of their pieces: the compiled form of `pieces.PythonReader`, which explains what it does.

   Texts are read as UTF-8. A piece lies between two spaces or line feeds. If `shapes.Shapes` allows it, the piece is
   replaced by its shape; the result has a number in a hash table. */
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>
#include <stdint.h>
#include <string.h>

/* As in pieces.py. */
enum { OTHER, LOWER, UPPER, DIGIT, CASELESS, SIGN = 32, SPLITS = 1, INNER = 2, QUOTE = 4 };
enum { FORM = 1, CONTEXT = 2, JOINED = 4, CLITIC = 8, GENDERED = 16 };
enum { PLANE = 65536, LONGEST_PIECE = 1024, LONGEST_LEFT = 30, LONGEST_ENDING = 20, LONGEST_TAIL = 5, MOST_REPLACED = 6, SHOWN = 4, GRAM_BITS = 16 };

typedef struct { uint64_t *hashes; uint32_t *values; uint64_t mask; Py_ssize_t used; } Table;

/* What was found of a short piece, so that the commonest words need no second look. */
typedef struct { char piece[15]; uint8_t length; int32_t number; uint32_t key; int is_folded; } Recent;
enum { RECENT = 1 << 13 };

typedef struct {
    PyObject_HEAD
    uint8_t kinds[PLANE];      /* of each character of the basic plane */
    uint16_t lowered[PLANE];   /* each letter as it is compared */
    char letters[32][4];       /* the letter that stands for others, by kind, in UTF-8 */
    uint8_t grams[3][1 << (GRAM_BITS - 3)];  /* the first 2, 3 or 4 letters of the parts that keep a piece as it is */
    int has_grams;
    uint64_t seed;             /* secret, so that nobody can write pieces that all have one place in the table */
    int keeps_inner_capitals;  /* whether a piece with a capital after a small letter stays as it is */
    Table runs;                /* runs of letters or digits that keep a piece as it is */
    Table known;               /* the number of each piece */
    char *arena; Py_ssize_t arena_used, arena_size;
    Py_ssize_t *starts, starts_size;
    Py_ssize_t told;           /* how many pieces have been returned as new, even if an error came between */
    Recent recent[RECENT];
} Reader;

typedef struct { char *items; Py_ssize_t used, size; } Array;

#define START 7ull
static inline uint64_t mix(uint64_t h, uint64_t c) { h = (h ^ c) * 0x9E3779B97F4A7C15ull; return h ^ (h >> 31); }
static inline uint64_t finish(uint64_t h) { h *= 0xBF58476D1CE4E5B9ull; h ^= h >> 32; return h ? h : 1; }

/* ---- growing memory ------------------------------------------------------------------------------------------- */

static int reserve(void **items, Py_ssize_t *size, Py_ssize_t wanted, Py_ssize_t width) {
    if (wanted <= *size) return 0;
    Py_ssize_t larger = *size ? *size : 1024;
    while (larger < wanted) larger *= 2;
    void *moved = PyMem_Realloc(*items, larger * width);
    if (!moved) { PyErr_NoMemory(); return -1; }
    *items = moved;
    *size = larger;
    return 0;
}

static inline int append(Array *array, const void *item, Py_ssize_t width) {
    if (array->used + width > array->size && reserve((void **)&array->items, &array->size, array->used + width, 1)) return -1;
    memcpy(array->items + array->used, item, width);
    array->used += width;
    return 0;
}

static int enlarge(Table *table) {
    uint64_t slots = table->mask ? 2 * (table->mask + 1) : 4096;
    uint64_t *hashes = PyMem_Calloc(slots, sizeof *hashes);
    uint32_t *values = PyMem_Malloc(slots * sizeof *values);
    if (!hashes || !values) { PyMem_Free(hashes); PyMem_Free(values); PyErr_NoMemory(); return -1; }
    for (uint64_t old = 0; table->mask && old <= table->mask; old++) {
        if (!table->hashes[old]) continue;
        uint64_t place = table->hashes[old] & (slots - 1);
        while (hashes[place]) place = (place + 1) & (slots - 1);
        hashes[place] = table->hashes[old];
        values[place] = table->values[old];
    }
    PyMem_Free(table->hashes); PyMem_Free(table->values);
    table->hashes = hashes; table->values = values; table->mask = slots - 1;
    return 0;
}

/* ---- shapes --------------------------------------------------------------------------------------------------- */

/* Decode a character of valid UTF-8; returns its length, 0 outside the basic plane. */
static inline int decode(const uint8_t *s, uint32_t *c) {
    if (s[0] < 0x80) { *c = s[0]; return 1; }
    if (s[0] < 0xE0) { *c = (s[0] & 31u) << 6 | (s[1] & 63u); return 2; }
    if (s[0] < 0xF0) { *c = (s[0] & 15u) << 12 | (s[1] & 63u) << 6 | (s[2] & 63u); return 3; }
    return 0;
}

static inline uint32_t look_up(const Table *table, uint64_t hash) {
    for (uint64_t place = hash & table->mask; table->hashes[place]; place = (place + 1) & table->mask)
        if (table->hashes[place] == hash) return table->values[place];
    return 0;
}

static inline uint32_t gram(uint64_t last, int length) {
    return (uint32_t)(((last & (~0ull >> (16 * (4 - length)))) * 0x9E3779B97F4A7C15ull) >> (64 - GRAM_BITS));
}

typedef struct { Py_ssize_t begin, end; uint32_t bits; int letters, is_digits, splits_before, first_kind, last_kind; uint32_t key; } Run;

/* Whether a piece has one of the parts that keep it as it is: the first letters of one, in this run. */
static int has_part(const Reader *self, const uint8_t *s, const Run *run) {
    uint64_t four = 0;
    int letters = 0;
    for (Py_ssize_t i = run->begin; i < run->end;) {
        uint32_t c = 0;
        i += decode(s + i, &c);
        four = four << 16 | self->lowered[c];
        letters++;
        for (int length = 2; length <= 4 && length <= letters; length++) {
            uint32_t bit = gram(four, length);
            if (self->grams[length - 2][bit >> 3] >> (bit & 7) & 1) return 1;
        }
    }
    return 0;
}

static inline int is_cased(int kind) { return kind == LOWER || kind == UPPER; }

/* Whether a run is one word with what is beside it: a digit or letter, or beyond an underscore or a full stop. */
static int is_joined(const Run *runs, Py_ssize_t r, Py_ssize_t count, const uint8_t *s) {
    for (int side = 0; side < 2; side++) {
        if (side ? r + 1 >= count : r == 0) continue;
        const Run *left = &runs[side ? r : r - 1], *right = &runs[side ? r + 1 : r];
        Py_ssize_t between = right->begin - left->end;
        if (between == 0 || (between == 1 && s[left->end] == '_')) return 1;
        if (between == 1 && s[left->end] == '.' && is_cased(left->last_kind) && is_cased(right->first_kind)) return 1;
    }
    return 0;
}

/* Go on with the hash of a word by the first letters of a run. */
static uint64_t hash_letters(const Reader *self, uint64_t hash, const uint8_t *s, const Run *run, int letters) {
    for (Py_ssize_t i = run->begin; i < run->end && letters--;) {
        uint32_t c = 0;
        i += decode(s + i, &c);
        hash = mix(hash, self->lowered[c]);
    }
    return hash;
}

/* Whether a run after a splitting sign may complete a gendered form: with all or part of the run before the sign, and
   perhaps with the run after it (*directeur/trice*, *(s)he*, *étudiant·e·s*). */
static int may_split(const Reader *self, const uint8_t *s, const Run *runs, Py_ssize_t r, Py_ssize_t count) {
    Run left = {0};
    if (r) left = runs[r - 1];
    for (; left.letters > LONGEST_LEFT; left.letters--) { uint32_t c; left.begin += decode(s + left.begin, &c); }
    for (int kept = 0; kept <= left.letters; kept++) {
        if (kept && kept < left.letters - MOST_REPLACED) continue;
        uint64_t hash = hash_letters(self, hash_letters(self, START, s, &left, kept), s, &runs[r], LONGEST_ENDING);
        if (look_up(&self->runs, finish(hash)) & GENDERED) return 1;
        if (r + 1 == count) continue;
        if (look_up(&self->runs, finish(hash_letters(self, hash, s, &runs[r + 1], LONGEST_TAIL))) & GENDERED) return 1;
        if (look_up(&self->runs, finish(hash_letters(self, hash, s, &runs[r + 1], LONGEST_PIECE))) & GENDERED) return 1;
    }
    return 0;
}

/* Read the runs of a piece. Returns how many, or -1 if the piece stays as it is. */
static Py_ssize_t read_runs(const Reader *self, const uint8_t *s, Py_ssize_t n, Run *runs) {
    Py_ssize_t count = 0, i = 0;
    uint64_t hash = START;
    int before = 0, has_inner = 0;
    Run *run = NULL;
    while (i <= n) {
        uint32_t c = 0;
        int width = 1, kind = SIGN;
        if (i < n && (!(width = decode(s + i, &c)) || (kind = self->kinds[c]) == OTHER)) return -1;
        if (run && (kind >= SIGN || run->is_digits != (kind == DIGIT))) {
            run->end = i;
            hash = finish(hash);
            run->bits = look_up(&self->runs, hash);
            run->key = (uint32_t)hash | 1;
            if (!run->is_digits && self->has_grams && has_part(self, s, run)) return -1;
            run = NULL;
        }
        if (i == n) break;
        if (kind >= SIGN) {
            if (count && kind & INNER) has_inner = 1;
            /* A hyphen may follow the sign (*Leser/-innen*). */
            before = kind & SPLITS || (before && c == '-');
        } else {
            if (self->keeps_inner_capitals && run && kind == UPPER && run->last_kind == LOWER) return -1;
            if (!run) {
                if (has_inner && kind != DIGIT) return -1;
                run = &runs[count++];
                *run = (Run){i, i, 0, 0, kind == DIGIT, before, kind, kind, 0};
                hash = START;
                before = 0;
            }
            hash = mix(hash, self->lowered[c]);
            run->letters++;
            run->last_kind = kind;
        }
        i += width;
    }
    for (Py_ssize_t r = 0; r < count; r++)
        if (runs[r].splits_before && !runs[r].is_digits && may_split(self, s, runs, r, count)) return -1;
    return count;
}

/* Whether a run stays: it may be a form, a context beside a form, or what an apostrophe joins. Context words count in
   the first and the last word of a piece, which may be followed by one sign (*st.*), or beside a form of the piece. */
static int is_kept(const Reader *self, const uint8_t *s, Py_ssize_t first, Py_ssize_t last, const Run *run, int has_form) {
    uint32_t before = 0, after = 0;
    int width = run->end < last ? decode(s + run->end, &after) : 0;
    if (run->bits & FORM) return 1;
    if (run->bits & CONTEXT && (has_form || run->begin <= first || run->end + width >= last)) return 1;
    if (!(run->bits & CLITIC)) return 0;
    Py_ssize_t place = run->begin;
    if (place) {
        do place--; while ((s[place] & 0xC0) == 0x80);
        decode(s + place, &before);
    }
    return (run->begin && self->kinds[before] & QUOTE && self->kinds[before] >= SIGN)
        || (width && self->kinds[after] & QUOTE && self->kinds[after] >= SIGN);
}

/* Write the shape of a piece; returns its length, or 0 if the piece stays as it is. `key` gets the hash of its only run
   of letters, 0 if there are several. */
static Py_ssize_t write_shape(const Reader *self, const uint8_t *s, Py_ssize_t n, char *out, uint32_t *key) {
    Run runs[LONGEST_PIECE];
    Py_ssize_t count = read_runs(self, s, n, runs), size = 0, at = 0, first = 0, last = n;
    int has_form = 0, kinds = 0, are_capitals = 1, words = 0;
    if (count < 0) return 0;
    for (Py_ssize_t r = 0; r < count; r++) {
        if (runs[r].bits & (FORM | CONTEXT) && !(runs[r].bits & JOINED) && is_joined(runs, r, count, s))
            runs[r].bits &= ~(uint32_t)(FORM | CONTEXT);
        has_form |= runs[r].bits & FORM;
        words += !runs[r].is_digits;
    }
    /* Underscores at the edges may be folded away. */
    while (first < n && s[first] == '_') first++;
    while (last > first && s[last - 1] == '_') last--;
    for (Py_ssize_t r = 0; r < count; r++) {
        const Run *run = &runs[r];
        int stays = is_kept(self, s, first, last, run, has_form);
        memcpy(out + size, s + at, run->begin - at);
        size += run->begin - at;
        for (Py_ssize_t i = run->begin; i < run->end;) {
            uint32_t c = 0;
            Py_ssize_t begin = i, next = i + decode(s + i, &c);
            int kind = self->kinds[c], length = 1;
            for (i = next; i < run->end && (next = i + decode(s + i, &c), self->kinds[c] == kind); i = next) length++;
            kinds++;
            are_capitals &= kind == UPPER;
            if (stays) {
                memcpy(out + size, s + begin, i - begin);
                size += i - begin;
                continue;
            }
            /* Up to three capitals may be initials, up to three small letters an elided article or a particle. */
            int shown = 1;
            if (are_capitals && kinds <= 3) shown = length < SHOWN ? length : SHOWN;
            else if (kind == LOWER && kinds == 1 && length >= SHOWN) shown = SHOWN;
            for (const char *letter = self->letters[kind]; shown--; size += letter[0]) memcpy(out + size, letter + 1, letter[0]);
        }
        at = run->end;
    }
    memcpy(out + size, s + at, n - at);
    size += n - at;
    if (size == n && !memcmp(out, s, n)) return 0;
    *key = words == 1 && !runs[0].is_digits ? runs[0].key : 0;
    return size;
}

/* ---- numbers -------------------------------------------------------------------------------------------------- */

static int64_t number_of(Reader *self, const char *s, Py_ssize_t n) {
    uint64_t hash = self->seed;
    Py_ssize_t i = 0;
    for (; i + 8 <= n; i += 8) { uint64_t eight; memcpy(&eight, s + i, 8); hash = mix(hash, eight); }
    uint64_t rest = 0;
    memcpy(&rest, s + i, n - i);
    hash = finish(mix(mix(hash, rest ^ (uint64_t)n << 56), self->seed));
    Table *known = &self->known;
    uint64_t place = hash & known->mask;
    for (; known->hashes[place]; place = (place + 1) & known->mask) {
        if (known->hashes[place] != hash) continue;
        uint32_t number = known->values[place];
        Py_ssize_t start = self->starts[number];
        if (self->starts[number + 1] - start == n && !memcmp(self->arena + start, s, n)) return number;
    }
    if (reserve((void **)&self->starts, &self->starts_size, known->used + 2, sizeof *self->starts)) return -1;
    if (reserve((void **)&self->arena, &self->arena_size, self->arena_used + n, 1)) return -1;
    uint32_t number = (uint32_t)known->used++;
    memcpy(self->arena + self->arena_used, s, n);
    self->starts[number] = self->arena_used;
    self->arena_used += n;
    self->starts[number + 1] = self->arena_used;
    known->hashes[place] = hash;
    known->values[place] = number;
    if (2 * (uint64_t)known->used > known->mask && enlarge(known)) return -1;
    return number;
}

/* List the new pieces as strings. */
static PyObject *new_pieces(Reader *self) {
    Py_ssize_t first = self->told;
    PyObject *list = PyList_New(self->known.used - first);
    for (Py_ssize_t number = first; list && number < self->known.used; number++) {
        Py_ssize_t start = self->starts[number];
        PyObject *piece = PyUnicode_DecodeUTF8(self->arena + start, self->starts[number + 1] - start, NULL);
        if (!piece || PyList_SetItem(list, number - first, piece)) { Py_DECREF(list); return NULL; }
    }
    if (list) self->told = self->known.used;
    return list;
}

static PyObject *bytes_of(const Array *array) { return PyByteArray_FromStringAndSize(array->items, array->used); }

static int read_piece(Reader *self, const char *s, Py_ssize_t n, Recent *found) {
    char shape[4 * LONGEST_PIECE];
    Recent *recent = NULL;
    if (n <= (Py_ssize_t)sizeof found->piece) {
        uint64_t words[2] = {0, 0};
        memcpy(words, s, n);
        recent = &self->recent[mix(mix(n, words[0]), words[1]) >> 7 & (RECENT - 1)];
        /* An empty place has the length 0 and number 0, which may be another piece. */
        if (n && recent->length == n && !memcmp(recent->piece, s, n)) { *found = *recent; return 0; }
    }
    found->key = 0;
    Py_ssize_t size = n && n <= LONGEST_PIECE ? write_shape(self, (const uint8_t *)s, n, shape, &found->key) : 0;
    int64_t number = size ? number_of(self, shape, size) : number_of(self, s, n);
    if (number < 0) return -1;
    found->number = (int32_t)number;
    found->is_folded = size > 0;
    if (recent) {
        *recent = *found;
        recent->length = (uint8_t)n;
        memcpy(recent->piece, s, n);
    }
    return 0;
}

static int read_text(Reader *self, const char *text, Py_ssize_t n, Array *numbers, Array *offsets, Array *keys) {
    Py_ssize_t begin = 0;
    Recent found = {0};
    for (Py_ssize_t i = 0; i <= n; i++) {
        if (i < n && text[i] != ' ' && text[i] != '\n') continue;
        if (read_piece(self, text + begin, i - begin, &found)) return -1;
        int32_t offset = (int32_t)(found.is_folded ? begin : -1 - begin);
        if (append(numbers, &found.number, sizeof found.number) || append(offsets, &offset, sizeof offset)) return -1;
        if (append(keys, &found.key, sizeof found.key)) return -1;
        begin = i + 1;
    }
    return 0;
}

static PyObject *Reader_read(Reader *self, PyObject *texts) {
    Array numbers = {0}, ends = {0}, offsets = {0}, keys = {0};
    PyObject *result = NULL;
    Py_ssize_t count = PyList_Size(texts);
    if (count < 0) return NULL;
    for (Py_ssize_t t = 0; t < count; t++) {
        Py_ssize_t n;
        const char *text = PyUnicode_AsUTF8AndSize(PyList_GetItem(texts, t), &n);
        if (!text) goto done;
        if (n >= INT32_MAX) { PyErr_SetString(PyExc_OverflowError, "a text has more than 2 GiB"); goto done; }
        if (read_text(self, text, n, &numbers, &offsets, &keys)) goto done;
        int64_t end = numbers.used / (Py_ssize_t)sizeof(int32_t);
        if (append(&ends, &end, sizeof end)) goto done;
    }
    PyObject *new = new_pieces(self);
    if (new) result = Py_BuildValue("(NNNNN)", bytes_of(&numbers), bytes_of(&ends), bytes_of(&offsets), bytes_of(&keys), new);
done:
    PyMem_Free(numbers.items); PyMem_Free(ends.items); PyMem_Free(offsets.items); PyMem_Free(keys.items);
    return result;
}

static PyObject *Reader_number(Reader *self, PyObject *pieces) {
    Py_ssize_t count = PyList_Size(pieces);
    PyObject *numbers = count < 0 ? NULL : PyList_New(count);
    for (Py_ssize_t p = 0; numbers && p < count; p++) {
        Py_ssize_t n;
        const char *piece = PyUnicode_AsUTF8AndSize(PyList_GetItem(pieces, p), &n);
        int64_t number = piece ? number_of(self, piece, n) : -1;
        PyObject *item = number < 0 ? NULL : PyLong_FromLongLong(number);
        if (!item || PyList_SetItem(numbers, p, item)) { Py_DECREF(numbers); return NULL; }
    }
    PyObject *new = numbers ? new_pieces(self) : NULL;
    if (!new) { Py_XDECREF(numbers); return NULL; }
    return Py_BuildValue("(NN)", numbers, new);
}

static PyObject *Reader_piece(Reader *Py_UNUSED(self), PyObject *arguments) {
    PyObject *text;
    Py_ssize_t offset, n;
    if (!PyArg_ParseTuple(arguments, "Un", &text, &offset)) return NULL;
    const char *s = PyUnicode_AsUTF8AndSize(text, &n);
    if (!s) return NULL;
    Py_ssize_t end = offset;
    while (end < n && s[end] != ' ' && s[end] != '\n') end++;
    return PyUnicode_DecodeUTF8(s + offset, end - offset, NULL);
}

static uint64_t hash_string(const Reader *self, const char *s, Py_ssize_t n, int is_compared) {
    uint64_t hash = START;
    for (Py_ssize_t i = 0; i < n;) {
        uint32_t c;
        int width = decode((const uint8_t *)s + i, &c);
        if (!width) return 0;
        hash = mix(hash, is_compared ? self->lowered[c] : c);
        i += width;
    }
    return hash;
}

static PyObject *Reader_key(Reader *self, PyObject *word) {
    Py_ssize_t n;
    const char *s = PyUnicode_AsUTF8AndSize(word, &n);
    return s ? PyLong_FromUnsignedLong((uint32_t)finish(hash_string(self, s, n, 1)) | 1) : NULL;
}

static PyObject *Reader_clear(Reader *self, PyObject *Py_UNUSED(nothing)) {
    memset(self->known.hashes, 0, (self->known.mask + 1) * sizeof *self->known.hashes);
    memset(self->recent, 0, sizeof self->recent);
    self->known.used = self->told = self->arena_used = 0;
    Py_RETURN_NONE;
}

/* ---- the type ------------------------------------------------------------------------------------------------- */

static int add_run(Reader *self, PyObject *run, PyObject *value) {
    Py_ssize_t n;
    const char *s = PyUnicode_AsUTF8AndSize(run, &n);
    long bits = PyLong_AsLong(value);
    if (!s || (bits == -1 && PyErr_Occurred())) return -1;
    uint64_t hash = hash_string(self, s, n, 0);
    /* Beyond the basic plane, pieces stay as they are anyway. */
    if (!hash) return 0;
    hash = finish(hash);
    Table *runs = &self->runs;
    uint64_t place = hash & runs->mask;
    while (runs->hashes[place] && runs->hashes[place] != hash) place = (place + 1) & runs->mask;
    if (!runs->hashes[place]) { runs->hashes[place] = hash; runs->values[place] = 0; runs->used++; }
    runs->values[place] |= (uint32_t)bits;
    return 4 * (uint64_t)runs->used > runs->mask ? enlarge(runs) : 0;
}

static int add_gram(Reader *self, PyObject *part) {
    Py_ssize_t n;
    const char *s = PyUnicode_AsUTF8AndSize(part, &n);
    if (!s) return -1;
    uint64_t four = 0;
    int length = 0;
    for (Py_ssize_t i = 0; i < n && length < 4; length++) {
        uint32_t c;
        int width = decode((const uint8_t *)s + i, &c);
        if (!width) return 0;
        four = four << 16 | c;
        i += width;
    }
    if (length < 2) { PyErr_SetString(PyExc_ValueError, "a part has at least two letters"); return -1; }
    uint32_t bit = gram(four, length);
    self->grams[length - 2][bit >> 3] |= (uint8_t)(1 << (bit & 7));
    self->has_grams = 1;
    return 0;
}

static PyObject *Reader_new(PyTypeObject *type, PyObject *arguments, PyObject *Py_UNUSED(names)) {
    const char *kinds, *lowered;
    Py_ssize_t kinds_size, lowered_size, place = 0;
    PyObject *letters, *runs, *parts, *run, *value;
    int keeps_inner_capitals;
    unsigned long long seed;
    if (!PyArg_ParseTuple(arguments, "y#y#O!O!O!pK", &kinds, &kinds_size, &lowered, &lowered_size, &PyDict_Type, &letters,
                          &PyDict_Type, &runs, &PyList_Type, &parts, &keeps_inner_capitals, &seed)) return NULL;
    if (kinds_size != PLANE || lowered_size != 2 * PLANE) {
        PyErr_SetString(PyExc_ValueError, "kinds and lowered need an item for each character of the basic plane");
        return NULL;
    }
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    Reader *self = (Reader *)allocate(type, 0);
    if (!self) return NULL;
    self->keeps_inner_capitals = keeps_inner_capitals;
    self->seed = seed;
    memcpy(self->kinds, kinds, PLANE);
    memcpy(self->lowered, lowered, 2 * PLANE);
    if (enlarge(&self->runs) || enlarge(&self->known)) goto failed;
    while (PyDict_Next(letters, &place, &run, &value)) {
        Py_ssize_t n;
        const char *s = PyUnicode_AsUTF8AndSize(value, &n);
        long kind = PyLong_AsLong(run);
        if (!s || n > 3 || kind < LOWER || kind >= SIGN) { if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "letters"); goto failed; }
        self->letters[kind][0] = (char)n;
        memcpy(self->letters[kind] + 1, s, n);
    }
    place = 0;
    while (PyDict_Next(runs, &place, &run, &value)) if (add_run(self, run, value)) goto failed;
    for (Py_ssize_t p = 0; p < PyList_Size(parts); p++) if (add_gram(self, PyList_GetItem(parts, p))) goto failed;
    return (PyObject *)self;
failed:
    Py_DECREF(self);
    return NULL;
}

static void Reader_free(Reader *self) {
    PyTypeObject *type = Py_TYPE((PyObject *)self);
    PyMem_Free(self->runs.hashes); PyMem_Free(self->runs.values);
    PyMem_Free(self->known.hashes); PyMem_Free(self->known.values);
    PyMem_Free(self->arena); PyMem_Free(self->starts);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyMethodDef methods[] = {
    {"read", (PyCFunction)Reader_read, METH_O, "Read a list of texts."},
    {"number", (PyCFunction)Reader_number, METH_O, "Number a list of pieces as they are."},
    {"piece", (PyCFunction)Reader_piece, METH_VARARGS, "Return the piece of a text that begins at a byte."},
    {"key", (PyCFunction)Reader_key, METH_O, "Return the key of a word."},
    {"clear", (PyCFunction)Reader_clear, METH_NOARGS, "Forget all pieces."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, Reader_new}, {Py_tp_dealloc, Reader_free}, {Py_tp_methods, methods},
    {Py_tp_doc, "See textparity.counting.pieces.PythonReader."}, {0, NULL},
};

static PyType_Spec spec = {"textparity.counting._pieces.Reader", sizeof(Reader), 0, Py_TPFLAGS_DEFAULT, slots};

static int fill_module(PyObject *module) {
    PyObject *type = PyType_FromSpec(&spec);
    return type && !PyModule_AddObject(module, "Reader", type) ? 0 : -1;
}

static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, fill_module}, {0, NULL}};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, "_pieces", NULL, 0, NULL, module_slots, NULL, NULL, NULL};
PyMODINIT_FUNC PyInit__pieces(void) { return PyModuleDef_Init(&module); }
