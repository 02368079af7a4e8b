/* Marks what a program does: zones, messages, frames, values, allocations.

   The recorder of libttscope_record takes the marks while the environment variable TTSCOPE_RECORD names a
   folder, into a file of this process in it, which `ttscope timeline`, `ttscope sql` and `ttscope perf` read.
   Without the variable every call returns at once. C++ programs use the macros of <tracy/Tracy.hpp> instead,
   Python programs the module ttscope._record.

   Any thread may call anything; a thread's own marks come back in their order. Nothing here throws, allocates
   by malloc or takes a lock: what finds no room is dropped and counted. Not for signal handlers. Texts are
   copied and need no end mark where a size is given. docs/instrument.md is the guide. */
#ifndef TTSCOPE_RECORD_H
#define TTSCOPE_RECORD_H

/* NOLINTBEGIN(modernize-*,readability-identifier-naming): C programs include it */
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TTSCOPE_RECORD_API __attribute__((visibility("default")))

/* The number of the recording that goes on; 0: none. Read it through ttscope_record_active(). */
extern TTSCOPE_RECORD_API uint32_t ttscope_record_generation;

static inline int ttscope_record_active(void) {
  return __atomic_load_n(&ttscope_record_generation, __ATOMIC_RELAXED) != 0;
}

/* Where a zone stands in a source. Null texts are empty; without a name a zone is called after its function.
 */
struct ttscope_record_place {
  const char* name;
  const char* function;
  const char* file;
  uint32_t line;
  uint32_t color; /* 0xRRGGBB; 0: none */
};

/* A place in static storage, with what the recorder keeps of it: 0 at first. */
struct ttscope_record_site {
  struct ttscope_record_place place;
  uint64_t known_as;
};

/* Begins a zone of this thread, inside of its open ones. Gives what names it to the calls below: a number
   from 1 on, how deep it lies; 0 where it is not recorded (off, or no room). Each begun zone is ended once,
   whatever was given. */
TTSCOPE_RECORD_API uint32_t ttscope_record_zone_begin(struct ttscope_record_site* site);
/* The same for a place that is known at run time only. */
TTSCOPE_RECORD_API uint32_t ttscope_record_zone_begin_at(const struct ttscope_record_place* place);
/* Ends the innermost open zone of this thread; nothing where none is open. */
TTSCOPE_RECORD_API void ttscope_record_zone_end(void);

/* The innermost open zone of the calling thread, for the calls below. */
#define TTSCOPE_RECORD_INNERMOST 0xFFFFFFFFu
/* Add to what is said of an open zone: further texts stand in lines of their own, a name or color replaces
 * that of its place. */
TTSCOPE_RECORD_API void ttscope_record_zone_text(uint32_t zone, const char* text, size_t size);
TTSCOPE_RECORD_API void ttscope_record_zone_name(uint32_t zone, const char* text, size_t size);
TTSCOPE_RECORD_API void ttscope_record_zone_color(uint32_t zone, uint32_t color);
TTSCOPE_RECORD_API void ttscope_record_zone_value(uint32_t zone, uint64_t value);

/* A message of this thread; color 0: none. Longer ones than 1 MiB are cut. */
TTSCOPE_RECORD_API void ttscope_record_message(const char* text, size_t size, uint32_t color);
/* The message that reports know as a signpost: `TT_SIGNPOST: header` and, where it is not null, the text
 * below it. */
TTSCOPE_RECORD_API void ttscope_record_signpost(const char* header, const char* text);

/* A frame of this name ends and the next one begins; null: "Frame". */
TTSCOPE_RECORD_API void ttscope_record_frame(const char* name);
/* Frames with gaps between them. */
TTSCOPE_RECORD_API void ttscope_record_frame_begin(const char* name);
TTSCOPE_RECORD_API void ttscope_record_frame_end(const char* name);

/* A value of a curve; it holds until the next one. */
TTSCOPE_RECORD_API void ttscope_record_plot(const char* name, double value);
enum ttscope_record_unit { TTSCOPE_RECORD_NUMBER = 0, TTSCOPE_RECORD_BYTES = 1, TTSCOPE_RECORD_PERCENT = 2 };
TTSCOPE_RECORD_API void ttscope_record_plot_unit(const char* name, enum ttscope_record_unit unit);

/* Memory of a pool; null: "Memory". What is freed in a pool was allocated in it. */
TTSCOPE_RECORD_API void ttscope_record_alloc(uint64_t address, uint64_t bytes, const char* pool);
TTSCOPE_RECORD_API void ttscope_record_free(uint64_t address, const char* pool);

/* Names the calling thread. Threads without a name are called as the system calls them. */
TTSCOPE_RECORD_API void ttscope_record_thread_name(const char* name);

/* Begins to record into a folder, which is made where it is missing, whatever the environment says. Gives 0
   where recording goes on already or the folder cannot be written. */
TTSCOPE_RECORD_API int ttscope_record_start(const char* folder);
/* Ends recording: the file is complete. Marks that other threads make meanwhile may still be in it. */
TTSCOPE_RECORD_API void ttscope_record_stop(void);
/* Sees to it that what was recorded outlives the machine too (it outlives this process without). */
TTSCOPE_RECORD_API void ttscope_record_flush(void);
/* Copies the path of this process's file; gives its length, 0 before the first mark or when off. */
TTSCOPE_RECORD_API size_t ttscope_record_file(char* path, size_t size);
/* Marks of this process that found no room. */
TTSCOPE_RECORD_API uint64_t ttscope_record_dropped(void);

#ifdef __cplusplus
}
#endif
/* NOLINTEND(modernize-*,readability-identifier-naming) */

#endif
