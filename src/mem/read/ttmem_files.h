#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/files.h"
#include "base/result.h"
#include "io/input_files.h"
#include "mem/model/recorded_run.h"

namespace ttscope::mem {

/// The text of a JSON file with readable bytes behind its end, which a parser that reads in steps needs.
/// A byte order mark in front is left out.
class PaddedText {
 public:
  static constexpr std::size_t kPaddingBytes = 64;

  explicit PaddedText(std::string text);
  /// Maps a regular file, or what is unpacked of it; nothing when there is none of this name, also not with
  /// the end of a packed file. A file that another program shortens meanwhile ends the program with SIGBUS.
  static Result<std::optional<PaddedText>> open(const std::string& path);

  std::string_view text() const { return text_; }
  /// What stands behind the name that was asked for: `.gz`, or nothing.
  std::string_view packed_end() const { return packed_end_; }
  /// What is wrong with the packed data although text could be read; its end may be missing.
  const std::string& warning() const { return warning_; }

 private:
  PaddedText(std::string_view text, std::shared_ptr<const void> owner)
      : text_(text), owner_(std::move(owner)) {}
  static Result<std::optional<PaddedText>> open_as_named(const std::string& path);
  static Result<PaddedText> map(const FileDescriptor& file, const std::string& path);

  std::string_view text_;
  std::string warning_;
  std::string_view packed_end_;  ///< one of kPackedEnds
  std::shared_ptr<const void> owner_;
};

/// The texts of the four files of a run. `name` is how they are called in errors: NAME_memory.json and so on.
struct TtmemTexts {
  std::string name;
  std::optional<PaddedText> memory;
  std::optional<PaddedText> operations;
  std::optional<PaddedText> registry;
  std::optional<PaddedText> modules;
};

/// Where one of the four files of a run lies.
struct RunFile {
  std::string folder;
  std::string run_name;
};

/// By the name of a file, which need not exist: `runs/bert_memory.json` is of run `bert` in `runs`. Here and
/// below a file may be packed, with `.gz` and so on behind its name.
std::optional<RunFile> run_file_of(const std::string& path);

/// The NAME of the one NAME_memory.json in a folder; an error that says how to choose when there are several.
Result<std::string> find_run_name(const std::string& folder);

/// Reads NAME_memory.json, NAME_operations.json, NAME_inputs_registry.json and NAME_ir.json of a folder, as
/// ttscope (docs/formats/ttmem_files.md) or the Python tool wrote them. All but the first may be missing.
/// Fails when a file is no such file, or when they are not of one run.
Result<RecordedRun> read_ttmem_files(const std::string& folder, const std::string& name);

/// The same for texts in memory.
Result<RecordedRun> read_ttmem_texts(TtmemTexts texts);

/// A folder with NAME_memory.json.
bool is_report_folder(const io::Beginning& beginning);
/// NAME_memory.json alone: memory of each op.
bool is_memory_file(const io::Beginning& beginning);
/// NAME_operations.json, NAME_inputs_registry.json or NAME_ir.json.
bool is_side_file_of_report(const io::Beginning& beginning);

}  // namespace ttscope::mem
