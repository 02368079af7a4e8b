#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mem/model/op_text.h"

namespace ttscope::mem {

/// Compiler stages in the order in which they are printed.
enum class Stage : std::uint8_t {
  kVhlo,
  kShlo,
  kShloFrontend,
  kShloCompiler,
  kShloSetMeshAttr,
  kShloCompilerCleaned,
  kTtir,
  kTtnn,
  kTtnnRuntime
};
std::string_view name_of(Stage stage);

/// What the compiler says an argument is.
enum class ArgumentRole : std::uint8_t { kUnknown, kInput, kParameter, kConstant };
std::string_view name_of(ArgumentRole role);

/// One function argument of a module.
struct ArgumentInfo {
  std::uint32_t ssa = kNone;   ///< name id of `%arg3`
  std::uint32_t type = kNone;  ///< type id (aliases resolved), kNone if unreadable
  ArgumentRole role = ArgumentRole::kUnknown;
  std::string model_name;  ///< `ttir.name`, else the location's name, else empty
  std::uint32_t device_type =
      kNone;  ///< type of the shard that the device holds, where a mesh_shard shows it
  std::vector<std::int64_t> local_shape;  ///< per-device shape where given
  bool has_local_shape = false;
  bool presharded = false;
  bool kv_cache = false;
};

/// One function of a module.
struct FunctionInfo {
  std::string name;  ///< without `@`
  std::vector<ArgumentInfo> arguments;
  std::vector<std::uint32_t> returned;  ///< name ids of the returned values
  std::vector<std::pair<std::string, std::vector<std::uint32_t>>>
      calls;  ///< load_cached: callee, operand name ids
  bool is_const_eval = false;
};

/// One op of a dumped module.
struct ModuleOp {
  std::uint32_t text = kNone;      ///< in RuntimeTrace::op_texts
  std::uint32_t loc = kNone;       ///< in RuntimeTrace::locs
  std::uint32_t line = 0;          ///< of the file
  std::uint32_t function = kNone;  ///< in RuntimeTrace::names
  bool in_const_eval = false;
};

/// One dumped module. Lines point into the input or the trace's arena.
struct ModuleDump {
  Stage stage = Stage::kTtnn;
  std::uint32_t file = 0;
  std::uint32_t rank = 0;  ///< in RuntimeTrace::ranks; kNone when its rank has no ops (a file of dumps only)
  std::uint32_t line = 0;  ///< header line; the first of the module where it has no header
  std::uint32_t body_line = 0;  ///< of lines[0], where no other rank's lines are between
  bool complete = true;
  std::vector<std::string_view> lines;  ///< body, prefixes removed
  std::vector<FunctionInfo> functions;
  std::vector<ModuleOp> ops;  ///< only where they alone can tell what was running (index_printed_modules())
};

/// Chip facts found in a `#system_desc` attribute.
struct SystemDescription {
  std::string arch;
  std::uint32_t dram_channels = 0;
  std::uint32_t worker_cores = 0;
  std::int64_t dram_bytes_per_channel = 0;  ///< allocatable part: unreserved end - base where given
  std::int64_t l1_bytes = 0;                ///< allocatable part: size - unreserved base
  std::uint32_t dram_alignment_bytes = 0;
};

}  // namespace ttscope::mem
