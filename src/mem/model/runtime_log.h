#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/string_pool.h"
#include "base/trust.h"
#include "mem/model/device.h"
#include "mem/model/tensor_type.h"

namespace ttscope::mem {

/// How a program came to its end, by the line that says so.
enum class CrashKind : std::uint8_t {
  kFatal,   ///< TT_FATAL, a message of level FATAL or critical
  kThrow,   ///< TT_THROW
  kAssert,  ///< TT_ASSERT, LOG_ASSERT, DEBUG_ASSERT
  kSegmentationFault,
  kAborted,      ///< abort, an uncaught C++ exception, a fatal error of Python
  kKilled,       ///< by a signal from outside, as the kernel does when the host's memory ends
  kHostMemory,   ///< std::bad_alloc, MemoryError
  kTimeout,      ///< the device did not answer
  kPythonError,  ///< a traceback and its last line
  kBusError,
  kTerminated,       ///< by SIGTERM: somebody, or a limit of time, ended it
  kReportedFailure,  ///< pytest or whoever started the program says that it failed, not of what
};

inline constexpr std::size_t kCrashKindCount = 12;

/// `fatal`, `segmentation_fault`, ...: as in ttscope.mem/1.
std::string_view name_of(CrashKind kind);

inline constexpr std::size_t kCrashTextBytes = 240;

/// A line that tells of the end of a program and of no failed allocation.
struct Crash {
  CrashKind kind = CrashKind::kFatal;
  std::uint32_t line = 0;
  std::uint32_t last_op = kNone;  ///< that had started before it
  std::string text;               ///< at most kCrashTextBytes
};

/// What a failure message is about, by its wording.
enum class FailureKind : std::uint8_t {
  kAllocation,         ///< `Not enough space to allocate ...`
  kAddressBelowLimit,  ///< `Cannot allocate at an address below ...`
  kBuffersBeyondL1,    ///< circular buffers `grow to ... beyond max L1 size`
  kBuffersClash,       ///< circular buffers `clash with L1 buffers`
  kProgramSize,        ///< `Program size ... too large for kernel config buffer`, or the linker's overflow
  kTraceRegion,        ///< `Creating trace buffers of size ... but only ... is allocated for trace region`
  kTraceOverlap,       ///< `Trace buffer at address ... overlaps with ...`
  kHostMemory,         ///< the host had no memory: std::bad_alloc, MemoryError, the kernel's killer
};

/// What the frames below a message say. The runtime's functions are named after the ops that they run.
struct Backtrace {
  std::string op{};  ///< `Conv3dOp`, else `Conv3dDeviceOperation` of tt-metal; empty: no frame names one
  std::uint32_t op_line = 0;
  std::uint32_t const_eval_line = 0;  ///< of the frame of LoadCachedOp, around it; 0: none
  std::uint32_t transfer_line = 0;    ///< of a frame that moves an input to the device; 0: none

  bool empty() const { return op.empty() && const_eval_line == 0 && transfer_line == 0; }
};

/// One failure of memory that a log tells of. Figures that the message does not have are -1.
struct OutOfMemory {
  std::uint32_t line = 0;
  FailureKind kind = FailureKind::kAllocation;
  bool from_logger = false;        ///< printed by the device's logger, where each failure comes first
  std::uint32_t last_op = kNone;   ///< op running when it happened; kNone between programs
  std::uint32_t before_op = 0;     ///< how many ops of the rank had started
  std::uint32_t instance = kNone;  ///< innermost program that was open
  Memory memory = Memory::kDram;
  std::int64_t requested_bytes = -1;  ///< of the whole buffer, program or trace
  std::int64_t banks = -1;
  std::int64_t per_bank_bytes = -1;
  std::int64_t bank_size_bytes = -1;
  std::int64_t allocated_bytes = -1;
  std::int64_t free_bytes = -1;
  std::int64_t largest_free_bytes = -1;
  std::int64_t reached_bytes = -1;  ///< where circular buffers end, or the address that was refused
  std::int64_t limit_bytes = -1;    ///< what that may not exceed: L1, the lowest tensor, a region
  bool is_cut = false;              ///< the text ends inside of a figure, which is not believed
  std::string core_range{};         ///< `(x=0,y=0) - (x=7,y=7)`
  Backtrace backtrace{};
};

/// A message as printed. One failure is printed several times: by the logger, with the exception, by Python.
struct FailureMessage {
  OutOfMemory printed;
  std::uint32_t failure = 0;  ///< in RankLog::failures, which has the fullest text of each
};

/// Every expected problem of a runtime log. A problem is counted with its first places; reading goes on.
enum class LogProblem : std::uint8_t {
  kOpTextUnparsed,       ///< an op line whose text is not an op; kept as an op without tensors
  kOpTextCut,            ///< an op line that ends before its loc(...)
  kTypeUnparsed,         ///< a tensor type that could not be read
  kBlockIncomplete,      ///< a memory block with fewer than four views
  kBlockDisplaced,       ///< a block that did not follow its op line directly, put back by op type
  kBlockWithoutOp,       ///< a block whose op line is missing; an op known by type only
  kBlockMissing,         ///< an op without a block in a log that has blocks
  kBadMemoryNumber,      ///< a view whose numbers cannot be read or overflow
  kViewInconsistent,     ///< allocated + free differs from total by more than the rounding
  kProgramLeftOpen,      ///< a program without its end line (crash or cut)
  kProgramEndUnmatched,  ///< an end line without an open program of that name
  kProgramsTooDeep,      ///< nesting beyond any real program; outer ones were closed
  kModuleCut,            ///< a module dump without its end
  kModuleUnparsed,       ///< a module dump without a readable function header
  kLineTooLong,          ///< a line over the limit; only its beginning was looked at
  kLogWrapped,           ///< a file whose lines were broken at a column; they are joined
  kInvalidUtf8,          ///< text that is not UTF-8, shown with replacement characters
};

inline constexpr std::size_t kLogProblemCount = 17;

const ProblemInfo& info_of(LogProblem problem);

using LogProblems = ProblemCounts<LogProblem, kLogProblemCount>;

/// What an op does to names and buffers, as far as its own text tells.
enum class OpRole : std::uint8_t {
  kCompute,     ///< makes its results
  kDeallocate,  ///< drops its operands
  kGetDevice,   ///< no tensors
  kLoadCached,  ///< const-eval results, from the cache or from a nested program
  kCall,        ///< func.call, call, trace ops: may run a nested program
  kUnparsed,    ///< the text could not be read
};

/// Part of one of the trace's flat id columns.
struct IdRange {
  std::uint32_t begin = 0;
  std::uint32_t count = 0;
};

/// Part of the op's text, from its first byte.
struct TextPart {
  std::uint32_t begin = 0;
  std::uint32_t length = 0;  ///< 0: absent
};

/// One distinct op text (without its location), parsed once however often it is executed.
struct OpText {
  std::string_view text;         ///< from the first result to the types, without ` loc(...)`
  std::uint32_t name = kNone;    ///< in RuntimeLog::names, e.g. `ttnn.matmul`
  std::uint32_t callee = kNone;  ///< in RuntimeLog::names, without `@`
  IdRange results;               ///< name ids (`%3`, `%7#1`) in RuntimeLog::id_lists
  IdRange operands;              ///< name ids
  IdRange input_types;           ///< type ids; same order as operands
  IdRange result_types;          ///< type ids; same order as results
  TextPart attributes;           ///< inside `<{ }>`
  TextPart discardable;          ///< inside the `{ }` after it
  TextPart input_signature;      ///< between the parentheses of the type
  TextPart result_signature;     ///< after `->`
  OpRole role = OpRole::kUnparsed;
  bool frees_first_operand = false;  ///< `deallocate_activation = true`
  bool identity_mesh_shard = false;  ///< mesh_shard that only renames: the device already holds the shard
  bool may_be_view = false;  ///< reshape, to_layout, typecast ...: the result may share the operand's buffer
  bool cut = false;          ///< the line ended early
};

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
  std::uint32_t text = kNone;      ///< in RuntimeLog::op_texts
  std::uint32_t loc = kNone;       ///< in RuntimeLog::locs
  std::uint32_t line = 0;          ///< of the file
  std::uint32_t function = kNone;  ///< in RuntimeLog::names
  bool in_const_eval = false;
};

/// One dumped module. Lines point into the input or the trace's arena.
struct ModuleDump {
  Stage stage = Stage::kTtnn;
  std::uint32_t file = 0;
  std::uint32_t rank = 0;  ///< in RuntimeLog::ranks; kNone when its rank has no ops (a file of dumps only)
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

/// One executed op: an op line, or a memory block whose op line is missing.
struct ExecutedOp {
  std::uint32_t text = kNone;  ///< in RuntimeLog::op_texts; kNone: only its type is known
  std::uint32_t loc = kNone;   ///< in RuntimeLog::locs: text inside `loc( )`
  std::uint32_t line = 0;
  std::uint32_t instance = kNone;  ///< in RankLog::programs; kNone: outside any program
  std::uint32_t block = kNone;     ///< in RankLog::blocks: the state before this op
  std::uint32_t op_type = kNone;   ///< in RuntimeLog::names: flatbuffer type of the block header (`MatmulOp`)
  bool retained = false;           ///< a deallocate that did nothing, the runtime says
  bool cache_hit = false;          ///< load_cached only
  bool cache_miss = false;
};

/// State of all four memories at one moment, as printed.
struct MemoryBlock {
  enum class Moment : std::uint8_t { kBeforeOp, kBeforeSubmit, kAfterSubmit };
  std::uint32_t before_op = 0;  ///< index of the first op of the rank not yet started at this moment
  std::uint32_t line = 0;       ///< header, or first view when there is none
  std::uint32_t geometry = 0;   ///< in RuntimeLog::geometries
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
  std::uint32_t name = kNone;       ///< in RuntimeLog::names
  std::uint32_t parent = kNone;     ///< instance that called it
  std::uint32_t caller_op = kNone;  ///< op of the parent that called it
  std::uint32_t first_op = 0;       ///< ops [first_op, end_op) of the rank, nested programs included
  std::uint32_t end_op = 0;
  std::uint32_t start_line = 0;
  std::uint32_t end_line = 0;  ///< 0: left open
  IdRange returned{};          ///< name ids in RuntimeLog::id_lists; empty: not known
};

/// A program start or end in its place among the ops.
struct ProgramEvent {
  std::uint32_t before_op = 0;
  std::uint32_t instance = 0;
  bool is_start = true;
};

/// Everything one process printed.
struct RankLog {
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
enum class LogSource : std::uint8_t {
  kRun,             ///< a run that printed them
  kModule,          ///< a compiled module, which nobody ran
  kPrintedModules,  ///< the modules in the log of a run that printed no ops
};

/// What a log says, without interpretation. Filled by a reader, then read-only; analyses may share it among
/// threads.
struct RuntimeLog {
  LogSource source = LogSource::kRun;
  std::vector<std::string> files;  ///< as given
  std::vector<std::uint64_t> file_lines;
  std::uint64_t input_bytes = 0;
  std::vector<RankLog> ranks;  ///< those with op or memory lines, by file and number
  StringPool op_bodies;        ///< distinct op texts; id = index in op_texts
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
  /// Whether ops are those of compiled modules: all that is said of them is modeled.
  bool is_from_modules() const { return source != LogSource::kRun; }
  OpRole role_of(const ExecutedOp& op) const;
  /// `ttnn.matmul`; the header's `MatmulOp` when the op line is missing; empty if neither is known.
  std::string_view name_of(const ExecutedOp& op) const;
  std::string_view part(const OpText& op, TextPart where) const {
    return op.text.substr(where.begin, where.length);
  }
};

/// Whether the op counts among `ops`: deallocate and get_device are executed but left out.
bool is_counted(const RuntimeLog& log, const ExecutedOp& op);

/// What a person calls a location: the first quoted name, `file:line:col` kept, empty for unknown.
std::string display_loc(std::string_view loc);

/// Whether a block header's flatbuffer type can be that of an op: `EltwiseUnaryOp` and `ttnn.neg` fit.
enum class TypeFit { kNo, kMaybe, kYes };

TypeFit fit_of(std::string_view op_name, std::string_view op_type);

}  // namespace ttscope::mem
