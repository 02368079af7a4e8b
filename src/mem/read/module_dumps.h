#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "mem/model/runtime_log.h"
#include "mem/read/chunk_scan.h"
#include "mem/read/mlir_text.h"

namespace ttscope::mem {

/// The name of a line that defines an alias: `#loc12` of `#loc12 = ...`; empty if it is something else.
std::string_view alias_name(std::string_view line);

/// What stands behind the `#name` and `!name` of a module, defined before or after their use. Aliases that
/// name each other, and a long one in every type, must not grow without bound: what is written out in all is
/// limited by the text that was collected.
class ModuleAliases {
 public:
  /// Takes `#ttnn_layout5 = #ttnn.ttnn_layout<...>`, `#dram = #ttnn.buffer_type<dram>` or
  /// `#loc3 = loc("dot.7"(#loc1))`; other lines only add to what may be written out. The text must stay.
  void collect(std::string_view line);
  /// Appends `text` with its aliases written out, and those inside them; names that are not aliases
  /// (`#ttnn.ttnn_layout<`) and strings stay. Stops where `out` is over `limit_bytes`.
  void append_expanded(std::string_view text, std::size_t limit_bytes, std::string& out);
  /// What one alias stands for, written out; empty if there is none of that name.
  std::string_view expansion(std::string_view name);

 private:
  struct Alias {
    std::string_view text;
    std::string expanded;
    enum class State : unsigned char { kAsWritten, kBeingExpanded, kExpanded } state = State::kAsWritten;
  };
  std::string_view expand(Alias& alias);

  std::unordered_map<std::string_view, Alias> aliases_;
  std::size_t room_bytes_ = 0;  ///< that may still be written out
  int depth_ = 0;
};

/// Reads the function headers, returned values and load_cached calls of a dumped module of any age. Layout
/// aliases are written out, so that types are the same as those of op lines. False when no function was
/// found.
bool parse_module(ModuleDump& module, LogTables& tables);

/// The function of a header `func.func @main(%arg0: tensor<...> {...}, ...) -> ... attributes {...} {`;
/// nothing if the text is none.
std::optional<FunctionInfo> parse_function_header(std::string_view header, ModuleAliases& aliases,
                                                  LogTables& tables);

/// Chip facts of a `#system_desc = #ttcore.system_desc<...>` line; nothing if the line is something else.
std::optional<SystemDescription> parse_system_description(std::string_view line);

/// The first of a module: `#system_desc = ...`, or in the module's attributes where the text has no aliases.
std::optional<SystemDescription> find_system_description(const ModuleDump& module);

/// Gathers the bodies of module dumps, which carry no prefix of their own, from the raw lines behind their
/// headers. The dumps of several ranks may be interleaved when their lines are tagged.
class ModuleCollector {
 public:
  ModuleCollector(RuntimeLog& log, LogTables& tables) : log_(log), tables_(tables) {}

  /// Looks at the raw lines of a chunk if a dump is open or begins in it. Tags are translated by
  /// `rank_of_tag` (index in the scan's tags -> rank).
  void walk(std::string_view bytes, bool stable, const ChunkScan& scan,
            const std::vector<std::uint32_t>& rank_of_tag);
  void begin_file(std::uint32_t file) { file_ = file; }
  void set_first_line(std::uint32_t line) { first_line_ = line; }
  /// Closes what is open at the end of a file.
  void end_file();

 private:
  static constexpr std::size_t kNotSeen = std::string_view::npos;
  struct Open {
    std::uint32_t rank = 0;
    std::uint32_t module = 0;
    std::size_t indent = kNotSeen;  ///< blanks before every line, of a log that was pasted into a text
  };

  void open(const LineRecord& header, std::uint32_t rank);
  bool take_line(std::string_view line, bool stable, std::uint32_t rank);
  void close(std::size_t which, bool complete);

  RuntimeLog& log_;
  LogTables& tables_;
  std::vector<Open> open_;
  std::uint32_t file_ = 0;
  std::uint32_t first_line_ = 1;
};

}  // namespace ttscope::mem
