// Preloaded into a program (LD_PRELOAD): counts calls of the system library that can fail, and makes some of
// them fail. tests/faults/run_faults.py is the driver. Nothing is counted before main() begins.
//
//   TTSCOPE_FAULT=KIND:N    the Nth call of this kind fails
//   TTSCOPE_FAULT=KIND:N+   that one and all after it
//   TTSCOPE_FAULT_COUNTS=FILE    a file of kKinds 64-bit numbers: the calls of each kind
//   TTSCOPE_FAULT_FREE=BYTES     what fstatvfs says is free
//
// Programs that are started by the program are left alone.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

enum Kind { kMalloc, kRead, kWrite, kOpen, kRename, kFsync, kMmap, kThread, kKinds };

static const struct {
  const char* name;
  int error;
} kinds[kKinds] = {
    {"malloc", ENOMEM}, {"read", EIO},  {"write", ENOSPC}, {"open", EMFILE},
    {"rename", EACCES}, {"fsync", EIO}, {"mmap", ENOMEM},  {"thread", EAGAIN},
};

static atomic_ulong own_counts[kKinds];
static atomic_ulong* counts = own_counts;
static atomic_int armed;
static int failing_kind = -1;
static unsigned long failing_call;
static int fails_from_there;

// Made by the C library for those who replace its allocator.
extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* memory, size_t size);
extern void* __libc_memalign(size_t alignment, size_t size);

// Counts a call; true when it is to fail, errno is set then.
static int fails(enum Kind kind) {
  if (!atomic_load_explicit(&armed, memory_order_relaxed)) return 0;
  const unsigned long call = atomic_fetch_add(&counts[kind], 1) + 1;
  if ((int)kind != failing_kind) return 0;
  if (call != failing_call && !(fails_from_there && call > failing_call)) return 0;
  errno = kinds[kind].error;
  return 1;
}

static void read_fault(const char* fault) {
  const char* colon = strchr(fault, ':');
  if (colon == NULL) return;
  for (int kind = 0; kind < kKinds; ++kind) {
    if (strlen(kinds[kind].name) == (size_t)(colon - fault) &&
        strncmp(kinds[kind].name, fault, (size_t)(colon - fault)) == 0) {
      failing_kind = kind;
    }
  }
  char* end = NULL;
  failing_call = strtoul(colon + 1, &end, 10);
  fails_from_there = *end == '+';
}

static void share_counts(const char* path) {
  const long file = syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  const long place = syscall(SYS_mmap, NULL, sizeof own_counts, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  syscall(SYS_close, file);
  if (place != -1) counts = (atomic_ulong*)place;
}

// The next definitions of functions. Looking them up allocates, so all are looked up before calls are
// counted.
#define NEXT_FUNCTIONS(X)                                                                              \
  X(__libc_start_main)                                                                                 \
  X(fork)                                                                                              \
  X(read)                                                                                              \
  X(pread) X(pread64) X(write) X(pwrite) X(pwrite64) X(open) X(open64) X(openat) X(openat64) X(fopen)  \
      X(fopen64) X(opendir) X(mkstemp) X(mkostemp) X(mkdtemp) X(mkdir) X(rename) X(renameat2) X(fsync) \
          X(fdatasync) X(pthread_create) X(fstatvfs)
int __libc_start_main(int (*)(int, char**, char**), int, char**, void (*)(void), void (*)(void),
                      void (*)(void), void*);
#define DECLARE(name) static __typeof__(&(name)) real_##name;
#define LOOK_UP(name) real_##name = (__typeof__(&(name)))dlsym(RTLD_NEXT, #name);
NEXT_FUNCTIONS(DECLARE)
#define REAL(name) \
  if (real_##name == NULL) LOOK_UP(name)

static int (*real_main)(int, char**, char**);

static int main_with_faults(int argc, char** argv, char** environment) {
  NEXT_FUNCTIONS(LOOK_UP)
  const char* fault = getenv("TTSCOPE_FAULT");
  const char* file = getenv("TTSCOPE_FAULT_COUNTS");
  if (fault != NULL) read_fault(fault);
  if (file != NULL) share_counts(file);
  unsetenv("LD_PRELOAD");
  atomic_store(&armed, 1);
  const int code = real_main(argc, argv, environment);
  atomic_store(&armed, 0);
  return code;
}

int __libc_start_main(int (*program)(int, char**, char**), int argc, char** argv, void (*init)(void),
                      void (*finish)(void), void (*loader_finish)(void), void* stack_end) {
  REAL(__libc_start_main)
  real_main = program;
  return real___libc_start_main(main_with_faults, argc, argv, init, finish, loader_finish, stack_end);
}

// A forked process becomes another program, or ends.
pid_t fork(void) {
  REAL(fork)
  const pid_t pid = real_fork();
  if (pid == 0) atomic_store(&armed, 0);
  return pid;
}

// fontconfig does not survive a lack of memory (it reads through null pointers), and nothing that calls it can help that:
// memory is there while cairo looks for a font.
static __thread int looks_for_font;
#define LACKS_MEMORY (fails(kMalloc) && !looks_for_font)
void cairo_text_extents(void* context, const char* text, void* extents) {
  void (*const real)(void*, const char*, void*) = dlsym(RTLD_NEXT, "cairo_text_extents");
  ++looks_for_font;
  real(context, text, extents);
  --looks_for_font;
}
void cairo_show_text(void* context, const char* text) {
  void (*const real)(void*, const char*) = dlsym(RTLD_NEXT, "cairo_show_text");
  ++looks_for_font;
  real(context, text);
  --looks_for_font;
}

void* malloc(size_t size) { return LACKS_MEMORY ? NULL : __libc_malloc(size); }
void* calloc(size_t count, size_t size) { return LACKS_MEMORY ? NULL : __libc_calloc(count, size); }
void* realloc(void* memory, size_t size) { return LACKS_MEMORY ? NULL : __libc_realloc(memory, size); }
void* aligned_alloc(size_t alignment, size_t size) {
  return LACKS_MEMORY ? NULL : __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, size_t alignment, size_t size) {
  if (LACKS_MEMORY) return ENOMEM;
  *memory = __libc_memalign(alignment, size);
  return *memory == NULL ? ENOMEM : 0;
}

ssize_t read(int file, void* to, size_t size) {
  REAL(read)
  return fails(kRead) ? -1 : real_read(file, to, size);
}
ssize_t pread(int file, void* to, size_t size, off_t at) {
  REAL(pread)
  return fails(kRead) ? -1 : real_pread(file, to, size, at);
}
ssize_t pread64(int file, void* to, size_t size, off64_t at) {
  REAL(pread64)
  return fails(kRead) ? -1 : real_pread64(file, to, size, at);
}

// What is said on standard error stays: the driver looks for the sentence.
ssize_t write(int file, const void* from, size_t size) {
  REAL(write)
  return file != STDERR_FILENO && fails(kWrite) ? -1 : real_write(file, from, size);
}
ssize_t pwrite(int file, const void* from, size_t size, off_t at) {
  REAL(pwrite)
  return fails(kWrite) ? -1 : real_pwrite(file, from, size, at);
}
ssize_t pwrite64(int file, const void* from, size_t size, off64_t at) {
  REAL(pwrite64)
  return fails(kWrite) ? -1 : real_pwrite64(file, from, size, at);
}

static mode_t mode_of(int flags, va_list arguments) {
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(arguments, mode_t) : 0;
}
#define WITH_MODE(flags)                         \
  va_list arguments;                             \
  va_start(arguments, flags);                    \
  const mode_t mode = mode_of(flags, arguments); \
  va_end(arguments);
// What was made has to be found again to be removed: that folders cannot be opened is never for long.
static int fails_to_open(int flags) {
  return fails(kOpen) && !(fails_from_there && (flags & O_DIRECTORY) != 0);
}
int open(const char* path, int flags, ...) {
  WITH_MODE(flags)
  REAL(open)
  return fails_to_open(flags) ? -1 : real_open(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  WITH_MODE(flags)
  REAL(open64)
  return fails_to_open(flags) ? -1 : real_open64(path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
  WITH_MODE(flags)
  REAL(openat)
  return fails_to_open(flags) ? -1 : real_openat(folder, path, flags, mode);
}
int openat64(int folder, const char* path, int flags, ...) {
  WITH_MODE(flags)
  REAL(openat64)
  return fails_to_open(flags) ? -1 : real_openat64(folder, path, flags, mode);
}
FILE* fopen(const char* path, const char* mode) {
  REAL(fopen)
  return fails(kOpen) ? NULL : real_fopen(path, mode);
}
FILE* fopen64(const char* path, const char* mode) {
  REAL(fopen64)
  return fails(kOpen) ? NULL : real_fopen64(path, mode);
}
DIR* opendir(const char* path) {
  REAL(opendir)
  return fails(kOpen) && !fails_from_there ? NULL : real_opendir(path);
}
int mkstemp(char* name) {
  REAL(mkstemp)
  return fails(kOpen) ? -1 : real_mkstemp(name);
}
int mkostemp(char* name, int flags) {
  REAL(mkostemp)
  return fails(kOpen) ? -1 : real_mkostemp(name, flags);
}
char* mkdtemp(char* name) {
  REAL(mkdtemp)
  return fails(kOpen) ? NULL : real_mkdtemp(name);
}
int mkdir(const char* path, mode_t mode) {
  REAL(mkdir)
  return fails(kOpen) ? -1 : real_mkdir(path, mode);
}

int rename(const char* from, const char* to) {
  REAL(rename)
  return fails(kRename) ? -1 : real_rename(from, to);
}
int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  REAL(renameat2)
  return fails(kRename) ? -1 : real_renameat2(from_folder, from, to_folder, to, flags);
}
int fsync(int file) {
  REAL(fsync)
  return fails(kFsync) ? -1 : real_fsync(file);
}
int fdatasync(int file) {
  REAL(fdatasync)
  return fails(kFsync) ? -1 : real_fdatasync(file);
}

void* mmap(void* at, size_t size, int protection, int flags, int file, off_t offset) {
  if (fails(kMmap)) return MAP_FAILED;
  return (void*)syscall(SYS_mmap, at, size, protection, flags, file, offset);
}
void* mmap64(void* at, size_t size, int protection, int flags, int file, off64_t offset) {
  if (fails(kMmap)) return MAP_FAILED;
  return (void*)syscall(SYS_mmap, at, size, protection, flags, file, offset);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) {
  REAL(pthread_create)
  return fails(kThread) ? EAGAIN : real_pthread_create(thread, attributes, start, argument);
}

static void set_free(unsigned long bytes, unsigned long block_bytes, fsblkcnt_t* available, fsblkcnt_t* all) {
  *available = block_bytes == 0 ? 0 : bytes / block_bytes;
  if (*all < *available) *all = *available;
}
int fstatvfs(int file, struct statvfs* told) {
  REAL(fstatvfs)
  const int code = real_fstatvfs(file, told);
  const char* bytes = getenv("TTSCOPE_FAULT_FREE");
  if (code == 0 && bytes != NULL)
    set_free(strtoul(bytes, NULL, 10), told->f_frsize, &told->f_bavail, &told->f_blocks);
  return code;
}
