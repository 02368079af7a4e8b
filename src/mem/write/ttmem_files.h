#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/json_writer.h"
#include "base/result.h"
#include "base/string_pool.h"
#include "base/writer.h"
#include "mem/analyze/memory_profile.h"
#include "mem/model/runtime_log.h"
#include "ui/json_text.h"

namespace ttscope::mem {

struct TtmemFilesOptions {
  std::string folder;  ///< made if it does not exist
  std::string name;    ///< prefix of the four file names; must not contain a path
};

/// Writes NAME_memory.json, NAME_operations.json, NAME_inputs_registry.json and NAME_ir.json
/// (docs/formats/ttmem_files.md) and returns their paths. Each file is replaced as a whole or not at all. The
/// profile must have been made with live totals. Uses one more thread.
Result<std::vector<std::string>> write_ttmem_files(const RuntimeLog& log, const MemoryProfile& profile,
                                                   const TtmemFilesOptions& options);

/// The form of all four files: that of Python's json.dump(indent=2), without a final newline.
inline constexpr JsonStyle kTtmemStyle{.indented = true, .ascii = true};

inline constexpr double kBytesPerMib = 1048576;

void write_memory_file(const RuntimeLog& log, const MemoryProfile& profile, Writer& out);
void write_operations_file(const RuntimeLog& log, const MemoryProfile& profile, Writer& out);
void write_registry_file(const RuntimeLog& log, const MemoryProfile& profile, Writer& out);
void write_ir_file(const RuntimeLog& log, const MemoryProfile& profile, Writer& out);

/// What a record of NAME_operations.json takes from the op's text alone.
struct OpFragment {
  std::string_view head;  ///< from the opening brace to the key `loc`
  std::string_view tail;  ///< fields of ours after `weights`, each with its comma before it; often empty
};

/// The fragments of all op texts. Those used several times are kept, up to a limit: the rest is made anew, so
/// that a log whose ops are all different costs no memory. The trace outlives it. Not thread safe.
class OpFragments {
 public:
  explicit OpFragments(const RuntimeLog& log);

  /// Valid until the next call.
  OpFragment get(const ExecutedOp& op);

 private:
  static constexpr std::size_t kKeptBytes = std::size_t{24} << 20;

  OpFragment make(const ExecutedOp& op);
  void write_head(JsonWriter& json, const ExecutedOp& op);
  void write_tail(JsonWriter& json, const OpText& text);
  void write_result(JsonWriter& json, const OpText& text);
  void write_inputs(JsonWriter& json, const OpText& text);
  void write_types(JsonWriter& json, const OpText& text);
  void write_part(JsonWriter& json, std::string_view name, const OpText& text, TextPart part);
  void write_shapes(JsonWriter& json, std::string_view name, IdRange types);
  void write_dtypes(JsonWriter& json, std::string_view name, IdRange types);
  const TensorType* tensor(std::uint32_t id) const;

  const RuntimeLog& log_;
  std::vector<bool> repeated_;  ///< by op text: used more than once
  FlatMap<OpFragment> kept_;    ///< by op text
  std::size_t kept_bytes_ = 0;
  Arena arena_;
  ui::TextCatcher head_;
  ui::TextCatcher tail_;
};

/// The object `output_layout_info` of a tensor.
void write_layout_info(JsonWriter& json, const TensorType& type);

}  // namespace ttscope::mem
