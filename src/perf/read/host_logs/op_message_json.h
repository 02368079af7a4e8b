#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "perf/model/host_ops.h"

namespace ttscope::perf {

/// What the JSON of an op message says.
struct OpMessage {
  OpInfo info;
  std::uint64_t id = 0;
  bool has_id = false;
  std::int64_t device = -1;
  std::string hash;  ///< empty: none
  bool cache_hit = false;
  bool has_cache_flag = false;
};

/// Reads the JSON of op messages. Keys that are missing leave their cells empty. Keeps the parser's memory
/// between calls; not thread safe.
class OpMessageReader {
 public:
  OpMessageReader();
  ~OpMessageReader();
  OpMessageReader(const OpMessageReader&) = delete;
  OpMessageReader& operator=(const OpMessageReader&) = delete;

  /// False if the text is no JSON object, for example because it was cut.
  bool read(std::string_view json, OpMessage& message);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace ttscope::perf
