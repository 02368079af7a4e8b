#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "chip/arch.h"

namespace ttscope::chip {

struct CommandResult {
  bool started = false;  ///< the program was found
  int exit_code = -1;
  std::string output;  ///< standard output and error
};

/// Runs a program, found in PATH, without a shell and without input, and waits for it.
CommandResult run_command(const std::vector<std::string>& arguments);

/// Bytes that go to an address of L1.
struct Segment {
  std::uint32_t address = 0;
  std::vector<std::uint8_t> bytes;
};

/// A program for one RISC.
struct Image {
  std::uint32_t entry = 0;
  std::vector<Segment> segments;
};

/// Reads the segments that are loaded from a 32-bit RISC-V executable, at their load addresses. A segment
/// that does not end below `limit` is an error: private memory cannot be filled from outside.
Result<Image> read_elf(std::span<const std::uint8_t> file, std::uint32_t limit);

/// A header for kernels, a source of firmware or a kernel of ops, as this program brings it.
struct DeviceSource {
  std::string_view path;  ///< `include/...`, `firmware/...` or `ops/...`
  std::string_view text;
};

const std::vector<DeviceSource>& device_sources();

/// Writes them below a folder, unless they are there already, and gives the folder.
Result<std::string> unpack_device_sources(const std::string& cache_folder);

/// The device profiler as kernels and firmware are built with it.
struct ProfilerBuild {
  bool on = true;
  std::uint32_t flags = 1;             ///< bits of PROFILE_KERNEL
  std::uint32_t region_bytes = 48000;  ///< DRAM of each RISC
  bool noc_events = false;
  bool debug_dump = false;
};

/// Which RISC code is built for. The values below 5 are those of the buffers.
enum class Processor : std::uint8_t { kBrisc, kNcrisc, kTrisc0, kTrisc1, kTrisc2, kIdleErisc };

struct KernelSource {
  std::string file;  ///< the kernel, a C++ file with `void kernel_main()`
  std::string root;  ///< taken off the names of files in zones, and searched for headers; may be empty
  std::vector<std::string> defines;  ///< `NAME` or `NAME=value`
  std::vector<std::uint32_t> compile_arguments;
};

/// A zone that code announced when it was compiled.
struct ZoneName {
  std::uint32_t id = 0;
  std::string name;
  std::string file;
  std::uint32_t line = 0;
  std::string key;  ///< what was hashed
};

struct Binary {
  Image image;
  std::vector<ZoneName> zones;
  std::string log;  ///< what the compiler said
};

/// Compiles device code, and keeps what it made in a folder, by the content of all files that went into it.
class Compiler {
 public:
  /// `program`: the cross compiler; found in PATH unless it has a slash.
  Compiler(std::string program, std::string cache_folder)
      : program_(std::move(program)), cache_folder_(std::move(cache_folder)) {}

  /// The default name of the cross compiler, and the package that has it.
  static constexpr const char* kProgram = "riscv64-unknown-elf-g++";
  static constexpr const char* kPackage = "gcc-riscv64-unknown-elf";

  Result<Binary> firmware(Arch arch, Processor processor, const ProfilerBuild& profiler);
  Result<Binary> kernel(Arch arch, Processor processor, const ProfilerBuild& profiler,
                        const KernelSource& source);

  /// How often the compiler was run and how often it was not needed.
  std::uint32_t compiled() const { return compiled_; }
  std::uint32_t reused() const { return reused_; }

 private:
  Result<Binary> build(Arch arch, std::vector<std::string> arguments, const std::string& what);

  std::string program_;
  std::string cache_folder_;
  std::uint32_t compiled_ = 0;
  std::uint32_t reused_ = 0;
};

/// The zones that a compiler's output announces, each once.
std::vector<ZoneName> announced_zones(std::string_view log);

}  // namespace ttscope::chip
