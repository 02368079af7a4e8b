#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/huge_pages.h"
#include "base/string_pool.h"
#include "mem/model/crash.h"
#include "mem/model/device_facts.h"
#include "mem/model/failure_message.h"
#include "mem/model/log_problems.h"
#include "mem/model/memory_kind.h"
#include "mem/model/module_dump.h"
#include "mem/model/op_text.h"
#include "mem/model/tensor_type.h"

namespace ttscope::mem {

/// One executed op: an op line, or a memory block whose op line is missing.
struct ExecutedOp {
  std::uint32_t text = kNone;  ///< in RuntimeTrace::op_texts; kNone: only its type is known
  std::uint32_t loc = kNone;   ///< in RuntimeTrace::locs: text inside `loc( )`
  std::uint32_t line = 0;
  std::uint32_t instance = kNone;  ///< in RankTrace::programs; kNone: outside any program
  std::uint32_t block = kNone;     ///< in RankTrace::blocks: the state before this op
  std::uint32_t op_type =
      kNone;               ///< in RuntimeTrace::names: flatbuffer type of the block header (`MatmulOp`)
  bool retained = false;   ///< a deallocate that did nothing, the runtime says
  bool cache_hit = false;  ///< load_cached only
  bool cache_miss = false;
};

/// State of all four memories at one moment, as printed.
struct MemoryBlock {
  enum class Moment : std::uint8_t { kBeforeOp, kBeforeSubmit, kAfterSubmit };
  std::uint32_t before_op = 0;  ///< index of the first op of the rank not yet started at this moment
  std::uint32_t line = 0;       ///< header, or first view when there is none
  std::uint32_t geometry = 0;   ///< in RuntimeTrace::geometries
  Moment moment = Moment::kBeforeOp;
  std::uint8_t present = 0;  ///< bit m set: view m was printed; the others repeat the block before
  std::array<MilliMib, kMemoryCount> allocated{};
  std::array<MilliMib, kMemoryCount> free{};
  std::array<MilliMib, kMemoryCount> largest_free{};
  std::array<std::uint32_t, kMemoryCount> view_line{};

  bool has(Memory memory) const { return (present >> index_of(memory) & 1) != 0; }
};

/// Bank counts and sizes, constant over a log but for restarts with another configuration.
struct Geometry {
  std::array<std::uint32_t, kMemoryCount> banks{};
  std::array<MilliMib, kMemoryCount> total{};
  bool operator==(const Geometry&) const = default;
};

/// One execution of a program (`main`, `main_const_eval_3`).
struct ProgramInstance {
  std::uint32_t name = kNone;       ///< in RuntimeTrace::names
  std::uint32_t parent = kNone;     ///< instance that called it
  std::uint32_t caller_op = kNone;  ///< op of the parent that called it
  std::uint32_t first_op = 0;       ///< ops [first_op, end_op) of the rank, nested programs included
  std::uint32_t end_op = 0;
  std::uint32_t start_line = 0;
  std::uint32_t end_line = 0;  ///< 0: left open
  IdRange returned{};          ///< name ids in RuntimeTrace::id_lists; empty: not known
};

/// A program start or end in its place among the ops.
struct ProgramEvent {
  std::uint32_t before_op = 0;
  std::uint32_t instance = 0;
  bool is_start = true;
};

/// Everything one process printed.
struct RankTrace {
  int number = 0;   ///< mpirun rank, else order of appearance
  std::string tag;  ///< text that marks the rank's lines, empty if none
  std::uint32_t file = 0;
  HugeVector<ExecutedOp> ops;
  HugeVector<MemoryBlock> blocks;
  std::vector<ProgramInstance> programs;
  std::vector<ProgramEvent> events;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> cache_keys;  ///< (load_cached op, hash text in names)
  std::vector<std::uint32_t> output_markers;                        ///< lines with `Got output shape:`
  std::vector<OutOfMemory> failures;                                ///< each once, in order
  std::vector<FailureMessage> failure_messages;  ///< every print of them, in order of lines
  std::vector<Crash> crashes;                    ///< in order of lines
};

/// Where the ops of a trace come from.
enum class TraceSource : std::uint8_t {
  kRun,             ///< a run that printed them
  kModule,          ///< a compiled module, which nobody ran
  kPrintedModules,  ///< the modules in the log of a run that printed no ops
};

/// What a log says, without interpretation. Filled by a reader, then read-only; analyses may share it among
/// threads.
struct RuntimeTrace {
  TraceSource source = TraceSource::kRun;
  std::vector<std::string> files;  ///< as given
  std::vector<std::uint64_t> file_lines;
  std::uint64_t input_bytes = 0;
  std::vector<RankTrace> ranks;  ///< those with op or memory lines, by file and number
  StringPool op_bodies;          ///< distinct op texts; id = index in op_texts
  HugeVector<OpText> op_texts;
  HugeVector<std::uint32_t> id_lists;  ///< name and type ids; OpText ranges point here
  StringPool type_texts;               ///< distinct type texts; id = index in types
  std::vector<TensorType> types;
  std::vector<Geometry> geometries;
  StringPool names;  ///< op names, SSA names, program names, op types, hashes
  StringPool locs;
  std::vector<ModuleDump> modules;  ///< in order of appearance
  std::vector<SystemDescription> systems;
  LogProblems problems;
  std::vector<std::string> warnings;  ///< problems of an input as a whole that did not stop the reading
  Arena arena;                        ///< owns texts that are not in a mapped file
  std::vector<std::shared_ptr<const void>> backing;  ///< keeps mapped inputs alive

  std::span<const std::uint32_t> ids(IdRange range) const {
    return std::span<const std::uint32_t>(id_lists).subspan(range.begin, range.count);
  }
  const OpText* text_of(const ExecutedOp& op) const {
    return op.text == kNone ? nullptr : &op_texts[op.text];
  }
  /// Whether ops are those of compiled modules: all that is said of them is modelled.
  bool is_from_modules() const { return source != TraceSource::kRun; }
  OpRole role_of(const ExecutedOp& op) const;
  /// `ttnn.matmul`; the header's `MatmulOp` when the op line is missing; empty if neither is known.
  std::string_view name_of(const ExecutedOp& op) const;
  std::string_view part(const OpText& op, TextPart where) const {
    return op.text.substr(where.begin, where.length);
  }
};

/// Whether the op counts among `ops`: deallocate and get_device are executed but left out.
bool is_counted(const RuntimeTrace& trace, const ExecutedOp& op);

/// What a person calls a location: the first quoted name, `file:line:col` kept, empty for unknown.
std::string display_loc(std::string_view loc);

}  // namespace ttscope::mem
