#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "chip/arch.h"
#include "chip/machine/core.h"
#include "chip/machine/noc_port.h"
#include "chip/rv32/instruction.h"

namespace ttscope::chip {

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
  static constexpr std::uint64_t kLongestQuantum = 1024;

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
  static constexpr std::uint32_t kPrivateMark =
      0x80000000;  ///< in Undo: core << 16 and an offset of its private memory
  struct Page {
    std::array<rv32::Instruction, kPageWords + 1> code{};
  };

  Run run(std::uint32_t index, std::uint64_t horizon, std::uint64_t end);
  Page* page_of(std::uint32_t pc);
  void keep(std::uint32_t index, std::uint32_t pc, std::uint64_t time);
  Run fail_access(std::uint32_t index, const char* what, std::uint32_t address, const char* why);
  static void record_read(Core& core, std::uint32_t address);
  bool gives_command(std::uint32_t index, std::uint32_t address, std::uint32_t value, std::uint64_t time);
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
