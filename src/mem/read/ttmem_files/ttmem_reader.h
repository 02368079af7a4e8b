#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "mem/model/recorded_run.h"
#include "mem/read/ttmem_files/padded_text.h"

namespace ttscope::mem {

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

}  // namespace ttscope::mem
