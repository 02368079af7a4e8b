#include "mem/read/ttmem_files/sniff.h"

#include <algorithm>

#include "base/json_shape.h"
#include "base/packed_name.h"

namespace ttscope::mem {
namespace {

bool is_object(const io::Beginning& beginning) {
  return beginning.path_kind == io::PathKind::kFile && beginning.text().starts_with('{');
}

}  // namespace

bool is_report_folder(const io::Beginning& beginning) {
  constexpr std::string_view kSuffix = "_memory.json";
  return std::any_of(beginning.names.begin(), beginning.names.end(), [&](const std::string& name) {
    const std::string_view plain = unpacked_name(name);
    return plain.size() > kSuffix.size() && plain.ends_with(kSuffix);
  });
}

bool is_memory_file(const io::Beginning& beginning) {
  return is_object(beginning) && has_json_key(beginning.bytes, "metadata") &&
         (has_json_key(beginning.bytes, "memory_config") || has_json_key(beginning.bytes, "num_banks")) &&
         !has_json_key(beginning.bytes, "graph");
}

bool is_side_file_of_report(const io::Beginning& beginning) {
  const std::string_view text = beginning.bytes;
  if (is_object(beginning)) {
    return (has_json_key(text, "metadata") && has_json_list(text, "entries")) ||
           (has_json_key(text, "ttir") && has_json_key(text, "text"));
  }
  return beginning.path_kind == io::PathKind::kFile && looks_like_json(text) && has_json_key(text, "mlir_op");
}

}  // namespace ttscope::mem
