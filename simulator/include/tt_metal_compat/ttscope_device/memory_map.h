#pragma once
/// Where things lie in the memory of a tile. Read by device code (freestanding) and by the host, so that each
/// address stands once. The profiler's area and the DRAM base are those of tt-metal; the rest is the map of
/// our own firmware.

#include <stdint.h>

namespace ttscope_device {

enum Risc : uint32_t { kBrisc = 0, kNcrisc = 1, kTrisc0 = 2, kTrisc1 = 3, kTrisc2 = 4, kRiscCount = 5 };

/// What differs between the architectures.
struct ArchMap {
  uint32_t l1_bytes;
  uint32_t private_bytes_data_mover;  ///< of BRISC and NCRISC
  uint32_t private_bytes_compute;     ///< of each TRISC
  uint32_t mailbox;
  uint32_t profiler;       ///< control words, then a buffer for each RISC
  uint32_t eth_profiler;   ///< the same of an idle ethernet core
  uint32_t dram_profiler;  ///< first byte of the profiler's region in each DRAM bank
  uint32_t noc_command_stride;
  uint32_t noc_at_data;
  uint32_t noc_command;
  uint32_t noc_node_id;
  uint32_t noc_translated_id;
  uint32_t noc_packet_bytes;  ///< the largest transfer of one command
};

constexpr ArchMap kWormhole = {1464 * 1024, 4096, 2048, 0x10, 0xB00, 0x27C0, 32,
                               0x400,       0x24, 0x28, 0x2C, 0x138, 8192};
constexpr ArchMap kBlackhole = {1536 * 1024, 8192, 4096, 0x60, 0xBD0, 0x27C0, 64,
                                0x800,       0x28, 0x40, 0x44, 0x148, 16384};

/// Offsets from the mailbox.
constexpr uint32_t kSubordinates =
    0x00;  ///< a word for NCRISC and each TRISC: kGo when it shall run, kDone when it has
constexpr uint32_t kLaunch = 0x10;   ///< LaunchMessage
constexpr uint32_t kBanks = 0x200;   ///< BankTable
constexpr uint32_t kGoWord = 0x490;  ///< the top byte is the signal

/// The signals of the go word and of subordinates.
constexpr uint32_t kDone = 0x00000000;
constexpr uint32_t kGo = 0x80000000;
constexpr uint32_t kReplayTrace = 0xC0000000;
constexpr uint32_t kBooting = 0x40000000;

struct LaunchMessage {
  uint32_t enables;  ///< a bit for each RISC; bit 2 starts the three TRISCs together
  uint32_t host_id;  ///< the program's runtime id
  uint32_t entry[kRiscCount];
};

/// A coordinate is x | y << 6, as a register of that NoC takes it.
struct BankTable {
  uint32_t dram_coordinate[2][16];
  uint32_t dram_offset[16];
  uint32_t dram_banks;
  uint32_t l1_banks;  ///< how many entries of l1_coordinate follow
};

/// Firmware: linked at the addresses at which the cores start (BRISC starts at 0, where a jump leads here).
constexpr uint32_t kFirmware[kRiscCount] = {0x4000, 0x12000, 0x6000, 0xA000, 0xE000};
constexpr uint32_t kFirmwareBytes = 0x2000;

/// Kernels: one room for each RISC, in the order of the RISCs.
constexpr uint32_t kKernels = 0x16000;
constexpr uint32_t kKernelBytes = 0x2000;
constexpr uint32_t kSemaphores = 0x20000;
constexpr uint32_t kSemaphoreStride = 16;
constexpr uint32_t kSemaphoreCount = 16;
constexpr uint32_t kCommonArguments = 0x20100;
constexpr uint32_t kCommonArgumentCount = 64;
constexpr uint32_t kArguments = 0x20200;
constexpr uint32_t kArgumentBytes = 0x400;  ///< for each RISC
constexpr uint32_t kCircularBuffers = kArguments + kRiscCount * kArgumentBytes;
constexpr uint32_t kCircularBufferCount = 32;

/// One circular buffer. Producer and consumer each write only their own words.
struct CircularBuffer {
  uint32_t address;
  uint32_t page_bytes;
  uint32_t page_count;
  uint32_t received;  ///< pages pushed since the launch
  uint32_t acked;     ///< pages popped since the launch
  uint32_t write_page;
  uint32_t read_page;
  uint32_t unused;
};

/// From here on L1 belongs to buffers.
constexpr uint32_t kUnreserved = 0x22000;
static_assert(kCircularBuffers + kCircularBufferCount * sizeof(CircularBuffer) <= kUnreserved);

/// Registers of a tile, the same on both architectures.
constexpr uint32_t kPrivateMemory = 0xFFB00000;
constexpr uint32_t kSoftReset = 0xFFB121B0;
constexpr uint32_t kClockLow = 0xFFB121F0;
constexpr uint32_t kClockHigh = 0xFFB121F4;
constexpr uint32_t kNocRegisters[2] = {0xFFB20000, 0xFFB30000};
constexpr uint32_t kResetBit[kRiscCount] = {1u << 11, 1u << 18, 1u << 12, 1u << 13, 1u << 14};
constexpr uint32_t kResetAll = 0x47800;

/// The first bytes of the private memory of each core, shared by firmware and kernels.
constexpr uint32_t kSharedPrivateBytes = 64;

}  // namespace ttscope_device
