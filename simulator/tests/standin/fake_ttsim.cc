// The entry points of libttsim over the embedded simulator. As the original it ends its process on errors; a
// write of the word 0xDEAD to L1 address 0x7F000 of a tile is one, of 0xDEAE one with the exit code -1. With
// FAKE_TTSIM_FAILS in the environment it does not begin.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "chip/simulator.h"

namespace {

std::unique_ptr<ttscope::chip::Simulator> simulator;

void end_on_error() {
  if (simulator->error().empty()) return;
  std::printf("ERROR: %s\n", simulator->error().c_str());
  std::fflush(stdout);
  std::_Exit(1);
}

}  // namespace

extern "C" {

void libttsim_init() {
  if (std::getenv("FAKE_TTSIM_FAILS") != nullptr) {
    std::printf("ERROR: no description of the chip\n");
    std::exit(1);
  }
  simulator = ttscope::chip::embedded_simulator({{}});
  const char* path = std::getenv("FAKE_TTSIM_PID");
  if (path == nullptr) return;
  if (std::FILE* file = std::fopen(path, "w")) {
    std::fprintf(file, "%d\n", static_cast<int>(::getpid()));
    std::fclose(file);
  }
}
std::uint32_t libttsim_pci_config_rd32(std::uint32_t device, std::uint32_t offset) {
  return simulator->config_read(device, offset);
}
void libttsim_pci_mem_rd_bytes(std::uint64_t address, void* to, std::uint32_t bytes) {
  simulator->memory_read(address, to, bytes);
  end_on_error();
}
void libttsim_pci_mem_wr_bytes(std::uint64_t address, const void* from, std::uint32_t bytes) {
  std::uint32_t word = 0;
  if (bytes == 4) std::memcpy(&word, from, 4);
  if ((word == 0xDEAD || word == 0xDEAE) && (address & 0xFFFFF) == 0x7F000) {
    std::printf("ERROR: UndefinedBehavior: the fatal word\n");
    std::fflush(stdout);
    std::_Exit(word == 0xDEAD ? 3 : -1);
  }
  simulator->memory_write(address, from, bytes);
  end_on_error();
}
void libttsim_clock(std::uint32_t ticks) {
  simulator->clock(ticks);
  end_on_error();
}
}
