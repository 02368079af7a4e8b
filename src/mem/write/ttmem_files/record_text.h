#pragma once

#include <string>
#include <string_view>

#include "mem/analyse/memory_profile.h"
#include "report/json_text.h"

namespace ttscope::mem {

/// The fields that all ops of one program instance share, as text to be put into the records of one rank. Not
/// thread safe.
class RecordText {
 public:
  /// `indent` starts the line of a field of the record.
  RecordText(const RuntimeTrace& trace, const MemoryProfile& profile, std::string_view indent);

  void use_rank(std::uint32_t rank);
  /// `const_eval_graph` and `const_eval_cache_miss`, each with its comma before it. Valid until the next
  /// call.
  std::string_view const_eval(const ExecutedOp& op);
  /// `rank`, `file` when there are several, `program`, `program_instance`, `run`, each with its comma before
  /// it.
  std::string_view program(const ExecutedOp& op);

 private:
  void use_instance(std::uint32_t instance);
  void append_field(std::string& to, std::string_view name, std::string_view json);
  std::uint32_t const_eval_instance(std::uint32_t instance) const;

  const RuntimeTrace& trace_;
  const MemoryProfile& profile_;
  std::string indent_;
  report::JsonQuoter quoter_;
  std::uint32_t rank_ = 0;
  std::uint32_t instance_ = kNone;
  bool made_ = false;  ///< the texts are those of rank_ and instance_
  std::string const_eval_;
  std::string program_;
};

}  // namespace ttscope::mem
