#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "chip/arch.h"

namespace ttscope::chip::rv32 {

/// Operations of RV32IM as they are executed. The first three are not instructions.
enum class Op : std::uint8_t {
  kUndecoded,  ///< decoded when it is first reached
  kNextPage,   ///< stands behind the last word of a page
  kIllegal,
  kLoadImmediate,  ///< lui and auipc: the value is known
  kJump,           ///< jal: the target is known
  kJumpRegister,
  kBranchEqual,
  kBranchNotEqual,
  kBranchLess,
  kBranchNotLess,
  kBranchLessUnsigned,
  kBranchNotLessUnsigned,
  kLoadByte,
  kLoadHalf,
  kLoadWord,
  kLoadByteUnsigned,
  kLoadHalfUnsigned,
  kStoreByte,
  kStoreHalf,
  kStoreWord,
  kAddImmediate,
  kSetLessImmediate,
  kSetLessImmediateUnsigned,
  kXorImmediate,
  kOrImmediate,
  kAndImmediate,
  kShiftLeftImmediate,
  kShiftRightImmediate,
  kShiftRightSignedImmediate,
  kAdd,
  kSubtract,
  kShiftLeft,
  kSetLess,
  kSetLessUnsigned,
  kXor,
  kShiftRight,
  kShiftRightSigned,
  kOr,
  kAnd,
  kMultiply,
  kMultiplyHigh,
  kMultiplyHighMixed,
  kMultiplyHighUnsigned,
  kDivide,
  kDivideUnsigned,
  kRemainder,
  kRemainderUnsigned,
  kFence,
};

/// The register that takes what is written to x0.
constexpr std::uint8_t kDiscardRegister = 32;

/// A decoded word. It belongs to its address: jumps and branches hold where they lead.
struct Instruction {
  Op op = Op::kUndecoded;
  std::uint8_t rd = 0;
  std::uint8_t rs1 = 0;
  std::uint8_t rs2 = 0;
  std::uint32_t immediate = 0;
};

static_assert(sizeof(Instruction) == 8);

/// Decodes the word at `pc`. Anything that is not RV32IM is kIllegal.
Instruction decode(std::uint32_t word, std::uint32_t pc);

}  // namespace ttscope::chip::rv32

namespace ttscope::chip {

/// Words of L1 that a polling loop reads.
constexpr int kWatchedWords = 4;

/// One RISC-V core. `time` is the tick of its next instruction: a core may be ahead of others of its tile as
/// long as it does nothing that they could see or change.
struct Core {
  std::array<std::uint32_t, 33> registers{};  ///< the last one takes writes to x0
  std::uint32_t pc = 0;
  std::uint64_t time = 0;
  bool running = false;

  // A loop that reads memory and changes nothing is found by two equal states at its head. The core then
  // sleeps until somebody writes what it reads; the turns in between are counted, not executed.
  enum class Watch : std::uint8_t {
    kNone,
    kRecording,  ///< one turn is being looked at; a write to what it has read ends that
    kAsleep,
  };
  Watch watch = Watch::kNone;
  std::uint8_t watched_count = 0;
  std::uint32_t loop_head = 0;
  std::uint32_t loop_turns = 0;
  std::uint64_t loop_time = 0;
  std::uint64_t period = 0;
  std::uint64_t effects = 0;  ///< how often it did something that others could see
  std::uint64_t loop_effects = 0;
  std::array<std::uint32_t, 32> loop_registers{};
  std::array<std::uint32_t, kWatchedWords> watched{};
};

/// Registers of one command buffer.
struct NocCommand {
  std::uint32_t target_low = 0;
  std::uint32_t target_mid = 0;
  std::uint32_t target_high = 0;
  std::uint32_t back_low = 0;
  std::uint32_t back_mid = 0;
  std::uint32_t back_high = 0;
  std::uint32_t tag = 0;
  std::uint32_t control = 0;
  std::uint32_t length = 0;
  std::uint32_t data = 0;
};

/// Which counter an answer adds to.
enum class NocAnswer : std::uint8_t { kAtomic, kWriteAck, kRead };

/// A tile's side of one network. With a latency model answers arrive later than the data.
struct NocPort {
  struct Pending {
    std::uint64_t time;
    NocAnswer answer;
  };
  std::array<NocCommand, 4> commands{};
  std::array<std::uint32_t, 3> answers{};  ///< by NocAnswer
  std::uint32_t writes_sent = 0;
  std::uint32_t posted_writes_sent = 0;
  std::uint32_t posted_atomics_sent = 0;
  std::vector<Pending> pending;

  void answer(NocAnswer kind, std::uint64_t now, std::uint64_t arrival) {
    if (arrival <= now) {
      ++answers[static_cast<std::size_t>(kind)];
    } else {
      pending.push_back({arrival, kind});
    }
  }
  /// Takes in what has arrived by `now`.
  void settle(std::uint64_t now) {
    if (pending.empty()) return;
    std::erase_if(pending, [&](const Pending& one) {
      if (one.time > now) return false;
      ++answers[static_cast<std::size_t>(one.answer)];
      return true;
    });
  }
};

/// Ticks that accesses take beyond the one of their instruction. All zero: as libttsim, every instruction
/// takes one.
struct Latency {
  std::uint32_t l1 = 0;                  ///< each load from L1
  std::uint32_t noc_base = 0;            ///< until the answer of a transfer
  std::uint32_t noc_per_hop = 0;         ///< each column and row on the way, one way
  std::uint32_t noc_bytes_per_tick = 0;  ///< 0: transfers of any size take no time
};

/// One tile: L1, its cores and their private memories, its registers. Deterministic: the result is that of
/// stepping all cores one instruction a tick in the order BRISC, TRISC0, TRISC1, TRISC2, NCRISC.
class Tile {
 public:
  /// Why run_until() came back.
  enum class Stop : std::uint8_t {
    kTime,     ///< all cores have reached the time
    kCommand,  ///< a core is about to give a NoC command at command_time()
    kFault,    ///< a core did what it must not; fault() says what
  };

  /// `order`: tiles with a lower one are stepped before it in the same tick.
  Tile(Arch arch, Place place, std::uint32_t order, const Latency& latency);

  /// Between two checkpoints a tile may run so many ticks.
  static constexpr std::uint64_t kMaxQuantum = 1024;

  Place place() const { return place_; }
  std::uint32_t order() const { return order_; }
  bool ethernet() const { return ethernet_; }
  std::uint32_t l1_bytes() const { return l1_bytes_; }
  const std::string& fault() const { return fault_; }
  /// Whether any core has something to do.
  bool busy() const;
  std::uint64_t instructions() const { return instructions_; }

  Stop run_until(std::uint64_t end);

  /// The command that waits, and when it is given.
  std::uint64_t command_time() const { return command_time_; }
  std::uint32_t command_noc() const { return command_noc_; }
  const NocCommand& command() const { return ports_[command_noc_].commands[command_buffer_]; }
  NocPort& port(std::uint32_t noc) { return ports_[noc]; }
  /// The waiting command was carried out (or refused): the core goes on behind it.
  void command_done();
  void command_failed(const std::string& why);

  /// Keeps what is needed to come back to this moment; `stamp` tells in which quantum it was.
  void checkpoint(std::uint64_t stamp);
  std::uint64_t stamp() const { return stamp_; }
  /// Undoes what was done since the checkpoint.
  void rewind();
  std::uint64_t rewinds() const { return rewinds_; }

  // Memory, as others see it at time `now`; all cores must have reached it. Ranges must lie in L1.
  void read_l1(std::uint32_t address, void* to, std::uint32_t bytes) const;
  void write_l1(std::uint32_t address, const void* from, std::uint32_t bytes);
  std::uint8_t* l1() { return l1_.get(); }
  /// Wakes the cores that wait for a word of the range; they must then be run to `visible` before it changes.
  void wake(std::uint32_t address, std::uint32_t bytes, std::uint64_t visible);
  /// The same for a range that the waiting command of this tile changes; nothing is left to be run.
  void wake_for_command(std::uint32_t address, std::uint32_t bytes);

  /// Registers, 4 bytes each, as host and cores see them. Cores that a write releases begin at `start_time`.
  std::uint32_t read_register(std::uint32_t address, std::uint64_t now);
  void write_register(std::uint32_t address, std::uint32_t value, std::uint64_t start_time);

  /// The wall clock is the tick plus this.
  void set_clock_offset(std::uint64_t offset) { clock_offset_ = offset; }

 private:
  enum class Run : std::uint8_t { kHorizon, kCommand, kFault };
  struct Undo {
    std::uint32_t where;
    std::uint32_t old_word;
  };
  static constexpr std::uint32_t kPageWords = 1024;
  static constexpr std::uint32_t kPrivateMemoryTag =
      0x80000000;  ///< in Undo: core << 16 and an offset of its private memory
  struct Page {
    std::array<rv32::Instruction, kPageWords + 1> code{};
  };

  Run run(std::uint32_t index, std::uint64_t horizon, std::uint64_t end);
  Page* page_of(std::uint32_t pc);
  void keep(std::uint32_t index, std::uint32_t pc, std::uint64_t time);
  Run fail_access(std::uint32_t index, const char* what, std::uint32_t address, const char* why);
  static void record_read(Core& core, std::uint32_t address);
  bool issues_command(std::uint32_t index, std::uint32_t address, std::uint32_t value, std::uint64_t time);
  bool watch_for(std::uint32_t index, std::uint32_t address, std::uint64_t time);
  bool loop_sleeps(Core& core, std::uint32_t head, std::uint64_t time);
  void note_time(std::uint32_t index);
  static bool watches(const Core& core, std::uint32_t address, std::uint32_t bytes);
  void set_watch(Core& core, Core::Watch watch);
  void wake_core(Core& core, std::uint64_t visible);
  std::uint32_t noc_register(std::uint32_t noc, std::uint32_t offset, std::uint64_t now);
  std::uint32_t* noc_command_word(std::uint32_t noc, std::uint32_t offset);
  void set_resets(std::uint32_t value, std::uint64_t start_time);
  std::uint32_t start_address(std::uint32_t index) const;
  Run fail(std::uint32_t index, const std::string& why);

  struct FreeMemory {
    void operator()(std::uint8_t* memory) const;
  };

  Arch arch_;
  const ttscope_device::ArchMap* map_;
  Place place_;
  std::uint32_t order_;
  bool ethernet_;
  Latency latency_;
  std::uint32_t core_count_;
  std::uint32_t l1_bytes_;
  std::unique_ptr<std::uint8_t[], FreeMemory> l1_;
  std::vector<std::unique_ptr<Page>> pages_;
  std::array<Core, 5> cores_;  ///< in the order in which they are stepped
  /// When each core acts next: its time, or never if it is held or asleep. Kept apart, because the scheduler
  /// asks often.
  std::array<std::uint64_t, 5> next_times_{};
  std::array<std::uint32_t, 5> private_bytes_{};
  std::array<std::array<std::uint8_t, 8192>, 5> private_{};
  std::array<NocPort, 2> ports_;
  std::uint32_t resets_;
  std::array<std::uint32_t, 6> start_registers_{};  ///< TRISC0..2, their enables, NCRISC, its enable
  std::uint64_t clock_offset_ = 0;
  std::uint32_t watchers_ = 0;  ///< cores that sleep or are recording

  std::uint64_t command_time_ = 0;
  std::uint32_t command_core_ = 0;
  std::uint32_t command_noc_ = 0;
  std::uint32_t command_buffer_ = 0;
  std::string fault_;
  std::uint64_t instructions_ = 0;

  struct Kept {
    std::array<Core, 5> cores;
    std::array<NocPort, 2> ports;
    std::uint32_t resets = 0;
    std::array<std::uint32_t, 6> start_registers{};
    std::uint32_t watchers = 0;
    std::uint64_t instructions = 0;
  };
  Kept kept_;
  std::unique_ptr<Undo[]> undo_;
  std::size_t undo_count_ = 0;
  std::uint64_t stamp_ = 0;
  std::uint64_t rewinds_ = 0;
};

}  // namespace ttscope::chip
