/* Sum the vectors of texts' pieces: the compiled form of `identifier.PythonSums`, which explains what it does. */
#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>
#include <stdint.h>
#include <string.h>

/* The constants of the hash FNV-1a. */
#define OFFSET 2166136261u
#define PRIME 16777619u

typedef struct { uint64_t hash; int64_t place; int32_t length, characters, number; } Slot;

typedef struct {
    PyObject_HEAD
    Py_buffer buffers[3];              /* what the next three pointers refer to */
    PyObject *words;
    const int32_t *rows, *sequences;   /* see identifier._Model */
    const uint8_t *spaces;             /* whether each character up to the last white space is one */
    Py_ssize_t width, buckets, last_space;
    uint8_t *has_row;                  /* a bit for each hash, which fits into the processor's cache */
    int shortest, longest;
    Slot *slots; uint64_t mask;        /* the known pieces, by their hashes */
    int32_t count;
    char *arena; Py_ssize_t used, size;
    int32_t *vectors; Py_ssize_t held; /* a row for each known piece */
} Sums;

static void forget(Sums *self) {
    PyMem_Free(self->slots); PyMem_Free(self->arena); PyMem_Free(self->vectors);
    self->slots = NULL; self->arena = NULL; self->vectors = NULL;
    self->mask = 0; self->count = 0; self->used = self->size = self->held = 0;
}

static int enlarge(Sums *self) {
    uint64_t size = self->mask ? 2 * (self->mask + 1) : 4096;
    Slot *slots = PyMem_Calloc(size, sizeof *slots);
    if (!slots) { PyErr_NoMemory(); return -1; }
    for (uint64_t old = 0; self->mask && old <= self->mask; old++) {
        if (!self->slots[old].length) continue;
        uint64_t place = self->slots[old].hash & (size - 1);
        while (slots[place].length) place = (place + 1) & (size - 1);
        slots[place] = self->slots[old];
    }
    PyMem_Free(self->slots);
    self->slots = slots;
    self->mask = size - 1;
    return 0;
}

static inline void add(const Sums *self, int32_t *sum, const int32_t *row) {
    for (Py_ssize_t i = 0; i < self->width; i++) sum[i] += row[i];
}

static inline int is_continued(char c) { return ((uint8_t)c & 0xC0) == 0x80; }

/* Add the rows of the sequences of characters in `<piece>`. */
static void add_sequences(const Sums *self, int32_t *vector, const char *s, Py_ssize_t n) {
    for (Py_ssize_t begin = 0; begin < n; begin++) {
        if (is_continued(s[begin])) continue;
        uint32_t hash = OFFSET;
        Py_ssize_t i = begin;
        for (int length = 1; length <= self->longest && i < n; length++) {
            /* fastText treats bytes as signed numbers. */
            do { hash = (hash ^ (uint32_t)(int8_t)s[i++]) * PRIME; } while (i < n && is_continued(s[i]));
            uint32_t bucket = hash % (uint32_t)self->buckets;
            if (length >= self->shortest && self->has_row[bucket >> 3] >> (bucket & 7) & 1)
                add(self, vector, self->rows + self->sequences[bucket] * self->width);
        }
    }
}

static int grow(void **items, Py_ssize_t *size, Py_ssize_t wanted, Py_ssize_t width) {
    if (wanted <= *size) return 0;
    Py_ssize_t larger = *size ? 2 * *size : 4096;
    if (larger < wanted) larger = wanted;
    void *moved = PyMem_Realloc(*items, larger * width);
    if (!moved) { PyErr_NoMemory(); return -1; }
    *items = moved;
    *size = larger;
    return 0;
}

/* Learn the vector of a new piece, which is not empty. */
static int learn(Sums *self, Slot *slot, uint64_t hash, const char *s, Py_ssize_t n) {
    if (grow((void **)&self->arena, &self->size, self->used + n + 2, 1)) return -1;
    if (grow((void **)&self->vectors, &self->held, self->count + 1, self->width * sizeof *self->vectors)) return -1;
    char *kept = self->arena + self->used;
    kept[0] = '<';
    memcpy(kept + 1, s, n);
    kept[n + 1] = '>';
    int32_t *vector = self->vectors + self->count * self->width;
    memset(vector, 0, self->width * sizeof *vector);
    add_sequences(self, vector, kept, n + 2);
    PyObject *word = PyUnicode_DecodeUTF8(s, n, "strict");
    if (!word) return -1;
    PyObject *row = PyDict_GetItemWithError(self->words, word);
    Py_DECREF(word);
    if (!row && PyErr_Occurred()) return -1;
    if (row) {
        Py_ssize_t number = PyLong_AsSsize_t(row);
        if (number < 0) return -1;
        add(self, vector, self->rows + number * self->width);
    }
    int32_t characters = 0;
    for (Py_ssize_t i = 0; i < n; i++) characters += !is_continued(s[i]);
    *slot = (Slot){hash, self->used + 1, (int32_t)n, characters, self->count++};
    self->used += n + 2;
    return 0;
}

static int add_piece(Sums *self, int32_t *sum, int64_t *characters, const char *s, Py_ssize_t n) {
    if (3 * (uint64_t)self->count >= 2 * self->mask && enlarge(self)) return -1;
    uint64_t hash = n;
    for (Py_ssize_t i = 0; i < n; i++) { hash = (hash ^ (uint8_t)s[i]) * 0x9E3779B97F4A7C15ull; hash ^= hash >> 31; }
    uint64_t place = hash & self->mask;
    Slot *slot = self->slots + place;
    while (slot->length && !(slot->hash == hash && slot->length == n && !memcmp(self->arena + slot->place, s, n))) {
        place = (place + 1) & self->mask;
        slot = self->slots + place;
    }
    if (!slot->length && learn(self, slot, hash, s, n)) return -1;
    add(self, sum, self->vectors + slot->number * self->width);
    *characters += slot->characters;
    return 0;
}

/* The length of white space at the beginning of valid UTF-8; 0 for another character. */
static inline int space_at(const Sums *self, const uint8_t *s) {
    uint32_t c = s[0];
    int length = 1;
    if (c >= 0xF0) return 0;
    if (c >= 0xE0) { c = (c & 15) << 12 | (s[1] & 63u) << 6 | (s[2] & 63u); length = 3; }
    else if (c >= 0xC0) { c = (c & 31) << 6 | (s[1] & 63u); length = 2; }
    else if (c >= 0x80) return 0;
    return c < self->last_space && self->spaces[c] ? length : 0;
}

static int add_part(Sums *self, int32_t *sum, int64_t *characters, PyObject *part) {
    Py_ssize_t n, begin = 0, i = 0;
    const char *s = PyUnicode_AsUTF8AndSize(part, &n);
    if (!s) return -1;
    while (i <= n) {
        int space = i < n ? space_at(self, (const uint8_t *)s + i) : 1;
        if (space) {
            if (i > begin && add_piece(self, sum, characters, s + begin, i - begin)) return -1;
            begin = i + space;
        }
        i += space ? space : 1;
    }
    return 0;
}

static PyObject *Sums_sum(Sums *self, PyObject *parts) {
    if (!PyList_Check(parts)) { PyErr_SetString(PyExc_TypeError, "parts are a list"); return NULL; }
    Py_ssize_t n = PyList_Size(parts);
    int32_t *sums = PyMem_Calloc(n * self->width + 1, sizeof *sums);
    int64_t *characters = PyMem_Calloc(n + 1, sizeof *characters);
    PyObject *found = NULL;
    if (!sums || !characters) { PyErr_NoMemory(); goto done; }
    for (Py_ssize_t part = 0; part < n; part++)
        if (add_part(self, sums + part * self->width, characters + part, PyList_GetItem(parts, part))) goto done;
    found = Py_BuildValue("y#y#", (const char *)sums, (Py_ssize_t)(n * self->width * sizeof *sums),
                          (const char *)characters, (Py_ssize_t)(n * sizeof *characters));
done:
    PyMem_Free(sums); PyMem_Free(characters);
    return found;
}

static PyObject *Sums_held(Sums *self, PyObject *Py_UNUSED(nothing)) {
    return PyLong_FromSsize_t(self->used + self->count * (Py_ssize_t)(self->width * sizeof(int32_t) + sizeof(Slot)));
}

static PyObject *Sums_clear(Sums *self, PyObject *Py_UNUSED(nothing)) {
    forget(self);
    Py_RETURN_NONE;
}

static PyObject *Sums_new(PyTypeObject *type, PyObject *arguments, PyObject *Py_UNUSED(names)) {
    PyObject *tables[3], *words;
    Py_ssize_t width;
    int shortest, longest;
    if (!PyArg_ParseTuple(arguments, "OnO!OiiO", &tables[0], &width, &PyDict_Type, &words, &tables[1], &shortest, &longest,
                          &tables[2])) return NULL;
    Sums *self = (Sums *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!self) return NULL;
    for (int i = 0; i < 3; i++) if (PyObject_GetBuffer(tables[i], &self->buffers[i], PyBUF_SIMPLE)) goto failed;
    self->rows = self->buffers[0].buf;
    self->sequences = self->buffers[1].buf;
    self->buckets = self->buffers[1].len / (Py_ssize_t)sizeof *self->sequences;
    self->spaces = self->buffers[2].buf;
    self->last_space = self->buffers[2].len;
    self->width = width; self->shortest = shortest; self->longest = longest;
    Py_INCREF(words);
    self->words = words;
    self->has_row = PyMem_Calloc(self->buckets / 8 + 1, 1);
    if (!self->has_row) { PyErr_NoMemory(); goto failed; }
    for (Py_ssize_t i = 0; i < self->buckets; i++)
        if (self->sequences[i] >= 0) self->has_row[i >> 3] |= (uint8_t)(1 << (i & 7));
    return (PyObject *)self;
failed:
    Py_DECREF(self);
    return NULL;
}

static void Sums_free(Sums *self) {
    PyTypeObject *type = Py_TYPE((PyObject *)self);
    forget(self);
    PyMem_Free(self->has_row);
    for (int i = 0; i < 3; i++) PyBuffer_Release(&self->buffers[i]);
    Py_XDECREF(self->words);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyMethodDef methods[] = {
    {"sum", (PyCFunction)Sums_sum, METH_O, "Sum the vectors of the pieces of each part, and count its characters."},
    {"held", (PyCFunction)Sums_held, METH_NOARGS, "Return the bytes of the known pieces."},
    {"clear", (PyCFunction)Sums_clear, METH_NOARGS, "Forget all pieces."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, Sums_new}, {Py_tp_dealloc, Sums_free}, {Py_tp_methods, methods},
    {Py_tp_doc, "See textparity.corpora.identifier.PythonSums."}, {0, NULL},
};

static PyType_Spec spec = {"textparity.corpora._identifier.Sums", sizeof(Sums), 0, Py_TPFLAGS_DEFAULT, slots};

static int fill_module(PyObject *module) {
    PyObject *type = PyType_FromSpec(&spec);
    return type && !PyModule_AddObject(module, "Sums", type) ? 0 : -1;
}

static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, fill_module}, {0, NULL}};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, "_identifier", NULL, 0, NULL, module_slots, NULL, NULL, NULL};
PyMODINIT_FUNC PyInit__identifier(void) { return PyModuleDef_Init(&module); }
