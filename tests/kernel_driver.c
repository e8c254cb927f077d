/* Calls kernels of a library: driver LIBRARY SUFFIX < calls > answers. See kernel_calls.py; as wasm_host.mjs. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#include <windows.h>
#else
#include <dlfcn.h>
#endif

enum { WHOLE, REAL }; /* kinds of arguments; all others are structs */
enum { MOST_ARGUMENTS = 8, ALIGNMENT = 64 };

typedef int64_t Kernel(int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t);
typedef int64_t KernelOfReal(int64_t, int64_t, double, int64_t); /* the only place where kernels have a float */

static void fail(const char *why) {
  fprintf(stderr, "driver: %s\n", why);
  exit(1);
}

static void *find(const char *library, const char *name, const char *suffix) {
  char symbol[256];
  snprintf(symbol, sizeof symbol, "wf_%s%s", name, suffix);
#ifdef _WIN32
  void *found = (void *)GetProcAddress(LoadLibraryA(library), symbol);
#else
  void *opened = dlopen(library, RTLD_NOW), *found = opened ? dlsym(opened, symbol) : NULL;
#endif
  if (!found) fail(symbol);
  return found;
}

static void *read_bytes(int64_t size) {
  /* Arrays begin at a multiple of their alignment, as everywhere. */
  char *bytes = (char *)calloc(1, size + ALIGNMENT);
  bytes += -(intptr_t)bytes & (ALIGNMENT - 1);
  if (fread(bytes, 1, size, stdin) != (size_t)size) fail("a call was cut off");
  return bytes;
}

static int read_number(int64_t *number) { return fread(number, 8, 1, stdin) == 1; }

int main(int count, char **given) {
  if (count != 3) fail("LIBRARY SUFFIX < calls > answers");
#ifdef _WIN32
  _setmode(_fileno(stdin), _O_BINARY);
  _setmode(_fileno(stdout), _O_BINARY);
#endif
  int64_t length, words, size;
  while (read_number(&length)) {
    char name[128] = {0};
    memcpy(name, read_bytes(length), length);
    if (!read_number(&words)) fail("a call was cut off");
    int64_t *from = (int64_t *)read_bytes(8 * words), *end = from + words;
    if (!read_number(&size)) fail("a call was cut off");
    char *arrays = (char *)read_bytes(size);
    int64_t *table = (int64_t *)calloc(words, 8), arguments[MOST_ARGUMENTS] = {0};
    int used = 0, real = -1;
    while (from < end) {
      int64_t kind = *from++, number = *from++;
      if (used == MOST_ARGUMENTS) fail("too many arguments");
      if (kind == REAL) real = used;
      if (kind == WHOLE || kind == REAL) {
        arguments[used++] = number;
        continue;
      }
      arguments[used++] = (int64_t)(intptr_t)table;
      for (; number > 0; number--) {
        int64_t rank = *from++;
        *table++ = (int64_t)(intptr_t)(arrays + *from++);
        for (; rank > 0; rank--) *table++ = *from++;
      }
    }
    void *kernel = find(given[1], name, given[2]);
    int64_t *a = arguments, answer;
    if (real < 0) {
      answer = ((Kernel *)kernel)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
    } else {
      double number;
      if (real != 2 || used != 4) fail("a float at another place");
      memcpy(&number, &a[2], 8);
      answer = ((KernelOfReal *)kernel)(a[0], a[1], number, a[3]);
    }
    fwrite(&answer, 8, 1, stdout);
    fwrite(arrays, 1, size, stdout);
  }
  return 0;
}
