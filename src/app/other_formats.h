#pragma once

#include "io/beginning.h"

/// Files that people give to ttscope although it does not read them: told by their beginnings, so that they
/// can be named.
namespace ttscope::app {

bool is_empty_file(const io::Beginning& beginning);
/// A zip archive, which spreadsheets (.xlsx) are too.
bool is_zip(const io::Beginning& beginning);
/// Not packed, so that a log in it looks like one.
bool is_tar(const io::Beginning& beginning);
/// Packed by lz4, 7-Zip, RAR, lzip or compress.
bool is_other_archive(const io::Beginning& beginning);
bool is_spreadsheet(const io::Beginning& beginning);
bool is_other_database(const io::Beginning& beginning);
/// A page that ttscope wrote.
bool is_own_page(const io::Beginning& beginning);
bool is_other_page(const io::Beginning& beginning);
/// A JSON document that ttscope wrote: its schema is `ttscope.mem/1` or the like.
bool is_own_document(const io::Beginning& beginning);
/// What `ttscope timeline -o` writes for Perfetto, and any trace for Chrome.
bool is_own_perfetto_trace(const io::Beginning& beginning);
bool is_chrome_trace(const io::Beginning& beginning);
/// A list of flat objects, a line each, as `ttscope export` and `ttscope sql` write it.
bool is_json_rows(const io::Beginning& beginning);
/// .mlir: a module as text.
bool is_mlir_module(const io::Beginning& beginning);
bool is_training_config(const io::Beginning& beginning);
bool is_other_json(const io::Beginning& beginning);
/// A table that Tracy's csvexport writes, and nothing of the profiler's.
bool is_tracy_table(const io::Beginning& beginning);
bool is_elf(const io::Beginning& beginning);
bool is_picture(const io::Beginning& beginning);

}  // namespace ttscope::app
