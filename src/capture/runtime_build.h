#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ttscope::capture {

enum class Known { kNo, kYes, kUnknown };
/// `no`, `yes` or `unknown`.
std::string_view known_word(Known known);

/// What the libraries of a TT-XLA installation can print. Told by the texts inside them: a text that was not
/// compiled in cannot be printed.
struct RuntimeBuild {
  std::string plugin;                 ///< path of pjrt_plugin_tt.so; empty: not found
  std::vector<std::string> runtimes;  ///< paths of the tt-mlir runtime libraries that belong to it
  Known reads_memory_variable =
      Known::kUnknown;                   ///< TT_RUNTIME_MEMORY_LOG_LEVEL; no: the source edit is needed
  Known has_op_lines = Known::kUnknown;  ///< compiled with TT_RUNTIME_DEBUG
  Known has_memory_lines = Known::kUnknown;
};

/// Looks for the plugin in the given folders (a Python package, a build folder, a checkout), in their order,
/// and at the libraries around it.
RuntimeBuild find_runtime_build(const std::vector<std::string>& folders);

/// Whether a file holds a text; kUnknown when it cannot be read.
Known file_holds(const std::string& path, std::string_view text);

}  // namespace ttscope::capture
