#include "chip/build/compiler.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <ttscope_device/memory_map.h>
#include <ttscope_device/profiler_layout.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "base/result.h"
#include "base/writer.h"

extern char** environ;

namespace ttscope::chip {
namespace {

std::string read_all(int from) {
  std::string text;
  std::array<char, 4096> buffer{};
  while (true) {
    const ssize_t got = ::read(from, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace

CommandResult run_command(const std::vector<std::string>& arguments) {
  CommandResult end;
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return end;
  const FileDescriptor reading(ends[0]);
  FileDescriptor writing(ends[1]);
  std::vector<char*> pointers;
  pointers.reserve(arguments.size() + 1);
  for (const std::string& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, writing.number(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, writing.number(), STDERR_FILENO);
  pid_t pid = -1;
  const int failed = ::posix_spawnp(&pid, pointers[0], &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return end;
  writing = FileDescriptor();
  end.started = true;
  end.output = read_all(reading.number());
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  end.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return end;
}

namespace {

constexpr std::size_t kHeaderBytes = 52;
constexpr std::size_t kProgramHeaderBytes = 32;
constexpr std::uint16_t kExecutable = 2;
constexpr std::uint16_t kRiscv = 243;
constexpr std::uint32_t kLoaded = 1;

/// Fields of a little-endian file; the caller has checked that they lie in it.
template <typename T>
T field(std::span<const std::uint8_t> bytes, std::size_t offset) {
  T value = 0;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

}  // namespace

Result<Image> read_elf(std::span<const std::uint8_t> file, std::uint32_t limit) {
  constexpr std::array<std::uint8_t, 6> kMagic = {0x7F, 'E', 'L', 'F', 1, 1};  // 32 bits, little-endian
  if (file.size() < kHeaderBytes || std::memcmp(file.data(), kMagic.data(), kMagic.size()) != 0) {
    return failure(bad_input("not a 32-bit little-endian ELF file"));
  }
  if (field<std::uint16_t>(file, 16) != kExecutable || field<std::uint16_t>(file, 18) != kRiscv) {
    return failure(bad_input("not an executable for RISC-V"));
  }
  Image image;
  image.entry = field<std::uint32_t>(file, 24);
  const std::uint64_t table = field<std::uint32_t>(file, 28);
  const std::uint64_t entry_bytes = field<std::uint16_t>(file, 42);
  const std::uint64_t count = field<std::uint16_t>(file, 44);
  if (count != 0 && (entry_bytes < kProgramHeaderBytes || table + count * entry_bytes > file.size())) {
    return failure(bad_input("the ELF file ends before its program headers"));
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::span<const std::uint8_t> header = file.subspan(table + i * entry_bytes, kProgramHeaderBytes);
    const std::uint64_t offset = field<std::uint32_t>(header, 4);
    const std::uint64_t address = field<std::uint32_t>(header, 12);
    const std::uint64_t bytes = field<std::uint32_t>(header, 16);
    if (field<std::uint32_t>(header, 0) != kLoaded || bytes == 0) continue;
    if (offset + bytes > file.size())
      return failure(bad_input(fmt::format("segment {} of the ELF file is cut", i)));
    if (address + bytes > limit) {
      return failure(bad_input(
          fmt::format("segment {} of the ELF file goes to {:#x}..{:#x}, outside of L1 ({:#x} bytes)", i,
                      address, address + bytes, limit)));
    }
    const auto from = file.subspan(offset, bytes);
    image.segments.push_back({static_cast<std::uint32_t>(address), {from.begin(), from.end()}});
  }
  return image;
}

namespace embedded {

std::string_view memory_map();
std::string_view profiler_layout();
std::string_view noc();
std::string_view kernel_profiler();
std::string_view profiler_core();
std::string_view profiler_push();
std::string_view noc_event_profiler();
std::string_view dataflow_api();
std::string_view firmware_start();
std::string_view firmware_ld();
std::string_view kernel_ld();
std::string_view firmware_launch();
std::string_view firmware_brisc();
std::string_view firmware_ncrisc();
std::string_view firmware_trisc();
std::string_view firmware_idle_erisc();
std::string_view firmware_kernel();
std::string_view firmware_sync_kernel();
std::string_view op_reader();
std::string_view op_writer();
std::string_view op_compute();

}  // namespace embedded

const std::vector<DeviceSource>& device_sources() {
  static const std::vector<DeviceSource> kSources = {
      {"include/ttscope_device/memory_map.h", embedded::memory_map()},
      {"include/ttscope_device/profiler_layout.h", embedded::profiler_layout()},
      {"include/ttscope_device/noc.h", embedded::noc()},
      {"include/tools/profiler/kernel_profiler.hpp", embedded::kernel_profiler()},
      {"include/tools/profiler/profiler_core.hpp", embedded::profiler_core()},
      {"include/tools/profiler/profiler_push.hpp", embedded::profiler_push()},
      {"include/tools/profiler/noc_event_profiler.hpp", embedded::noc_event_profiler()},
      {"include/dataflow_api.h", embedded::dataflow_api()},
      {"firmware/start.S", embedded::firmware_start()},
      {"firmware/firmware.ld", embedded::firmware_ld()},
      {"firmware/kernel.ld", embedded::kernel_ld()},
      {"firmware/launch.h", embedded::firmware_launch()},
      {"firmware/brisc.cc", embedded::firmware_brisc()},
      {"firmware/ncrisc.cc", embedded::firmware_ncrisc()},
      {"firmware/trisc.cc", embedded::firmware_trisc()},
      {"firmware/idle_erisc.cc", embedded::firmware_idle_erisc()},
      {"firmware/kernel.cc", embedded::firmware_kernel()},
      {"firmware/sync_kernel.cc", embedded::firmware_sync_kernel()},
      {"ops/reader.cpp", embedded::op_reader()},
      {"ops/writer.cpp", embedded::op_writer()},
      {"ops/compute.cpp", embedded::op_compute()},
  };
  return kSources;
}

Result<std::string> unpack_device_sources(const std::string& cache_folder) {
  XXH64_hash_t hash = 0;
  for (const DeviceSource& source : device_sources())
    hash = XXH3_64bits_withSeed(source.text.data(), source.text.size(), hash);
  const std::string folder = fmt::format("{}/device-{:016x}", cache_folder, hash);
  const std::string mark = folder + "/complete";
  std::error_code error;
  if (std::filesystem::exists(mark, error)) return folder;
  for (const DeviceSource& source : device_sources()) {
    const std::filesystem::path path = folder + "/" + std::string(source.path);
    std::filesystem::create_directories(path.parent_path(), error);
    if (error)
      return failure(write_failed(fmt::format("{}: {}", path.parent_path().string(), error.message())));
    if (Result<void> written = write_file(path.string(), [&](Writer& out) { out.write(source.text); });
        !written) {
      return tl::unexpected(written.error());
    }
  }
  if (Result<void> written = write_file(mark, [](Writer& out) { out.write('\n'); }); !written)
    return tl::unexpected(written.error());
  return folder;
}

namespace {

/// Binaries by what they were made from: the command, and the content of each file that the compiler read.
/// Several processes may use a folder at once.
class KernelCache {
 public:
  KernelCache(std::string folder, std::string_view command);

  /// Where a binary is written before it is kept, and the compiler's list of files; both are of this process
  /// alone.
  std::string new_binary() const { return unfinished_ + ".elf"; }
  std::string new_dependencies() const { return unfinished_ + ".d"; }

  struct Entry {
    std::string binary;
    std::string log;
  };
  /// Empty: not there, or a file has changed since.
  std::optional<Entry> find() const;
  /// Takes the new binary in.
  Result<Entry> keep(std::string_view log) const;

 private:
  std::string base_;  ///< path without ending
  std::string unfinished_;
};

std::optional<std::string> content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(in), {});
}

std::uint64_t hash_of(std::string_view text) { return XXH3_64bits(text.data(), text.size()); }

/// The files of a make rule; blanks in names are escaped, lines continued.
std::vector<std::string> files_of_rule(std::string_view rule) {
  std::vector<std::string> files;
  std::string name;
  const auto take = [&] {
    if (!name.empty() && name.back() != ':') files.push_back(name);
    name.clear();
  };
  for (std::size_t i = 0; i < rule.size(); ++i) {
    const char c = rule[i];
    if (c == '\\' && i + 1 < rule.size() && rule[i + 1] != '\n') {
      name += rule[++i];
    } else if (c == ' ' || c == '\n' || c == '\\') {
      take();
    } else {
      name += c;
    }
  }
  take();
  return files;
}

KernelCache::KernelCache(std::string folder, std::string_view command) {
  static std::atomic<unsigned> number = 0;
  base_ = fmt::format("{}/kernels/{:016x}", folder, hash_of(command));
  unfinished_ = fmt::format("{}.{}.{}", base_, ::getpid(), number++);
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(base_).parent_path(), ignored);
}

/// The list has a line `hash path` for each file that went in, then the log.
std::optional<KernelCache::Entry> KernelCache::find() const {
  const std::optional<std::string> list = content(base_ + ".files");
  if (!list) return std::nullopt;
  std::string_view rest = *list;
  while (true) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    if (line.empty()) break;
    std::uint64_t hash = 0;
    const auto [after, error] = std::from_chars(line.data(), line.data() + line.size(), hash, 16);
    const std::size_t used = static_cast<std::size_t>(after - line.data());
    if (error != std::errc() || used + 1 >= line.size()) return std::nullopt;
    const std::optional<std::string> file = content(std::string(line.substr(used + 1)));
    if (!file || hash_of(*file) != hash) return std::nullopt;
  }
  std::optional<std::string> binary = content(base_ + ".elf");
  if (!binary) return std::nullopt;
  return Entry{std::move(*binary), std::string(rest)};
}

Result<KernelCache::Entry> KernelCache::keep(std::string_view log) const {
  const std::optional<std::string> binary = content(new_binary());
  const std::optional<std::string> rule = content(new_dependencies());
  std::error_code ignored;
  std::filesystem::remove(new_dependencies(), ignored);
  if (!binary || !rule)
    return failure(bad_input(fmt::format("{}: the compiler did not write it", new_binary())));
  std::string list;
  for (const std::string& path : files_of_rule(*rule)) {
    const std::optional<std::string> file = content(path);
    if (!file) return failure(bad_input(fmt::format("{}: was read by the compiler and is gone", path)));
    list += fmt::format("{:016x} {}\n", hash_of(*file), path);
  }
  list += '\n';
  list += log;
  std::error_code error;
  std::filesystem::rename(new_binary(), base_ + ".elf", error);
  if (error) return failure(write_failed(fmt::format("{}.elf: {}", base_, error.message())));
  if (Result<void> written = write_file(base_ + ".files", [&](Writer& out) { out.write(list); }); !written) {
    return tl::unexpected(written.error());
  }
  return Entry{*binary, std::string(log)};
}

namespace device = ttscope_device;

/// Private memory that a kernel's variables must leave to the stack.
constexpr std::uint32_t kMinStackBytes = 768;

std::uint32_t risc_of(Processor processor) {
  return processor == Processor::kIdleErisc ? 0 : static_cast<std::uint32_t>(processor);
}

std::uint32_t private_bytes(Arch arch, Processor processor) {
  const bool compute = processor >= Processor::kTrisc0 && processor <= Processor::kTrisc2;
  const device::ArchMap& map = *facts_of(arch).map;
  return compute ? map.private_bytes_compute : map.private_bytes_data_mover;
}

std::string processor_define(Processor processor) {
  switch (processor) {
    case Processor::kBrisc:
      return "-DCOMPILE_FOR_BRISC";
    case Processor::kNcrisc:
      return "-DCOMPILE_FOR_NCRISC";
    case Processor::kIdleErisc:
      return "-DCOMPILE_FOR_IDLE_ERISC";
    default:
      return fmt::format("-DCOMPILE_FOR_TRISC={}", risc_of(processor) - device::kTrisc0);
  }
}

std::vector<std::string> common_arguments(Arch arch, Processor processor, const ProfilerBuild& profiler,
                                          const std::string& sources) {
  std::vector<std::string> arguments = {"-march=rv32im",
                                        "-mabi=ilp32",
                                        "-ffreestanding",
                                        "-nostdlib",
                                        "-Os",
                                        "-std=c++17",
                                        "-fno-exceptions",
                                        "-fno-rtti",
                                        "-fno-threadsafe-statics",
                                        "-fno-use-cxa-atexit",
                                        "-fno-tree-loop-distribute-patterns",
                                        "-Wall",
                                        "--param=min-pagesize=0",  // addresses of L1 are small numbers
                                        "-ftrack-macro-expansion=0",
                                        "-fno-diagnostics-show-caret",
                                        "-z",
                                        "max-page-size=16",
                                        "-I",
                                        sources + "/include",
                                        fmt::format("-fmacro-prefix-map={}/=", sources),
                                        processor_define(processor),
                                        arch == Arch::kWormhole ? "-DARCH_WORMHOLE" : "-DARCH_BLACKHOLE"};
  if (profiler.on) {
    arguments.push_back(fmt::format("-DPROFILE_KERNEL={}", profiler.flags));
    arguments.push_back(fmt::format("-DPROFILER_FULL_HOST_BUFFER_SIZE_PER_RISC={}", profiler.region_bytes));
    if (profiler.noc_events) arguments.emplace_back("-DPROFILE_NOC_EVENTS=1");
    if (profiler.debug_dump) arguments.emplace_back("-DDEVICE_DEBUG_DUMP=1");
  }
  return arguments;
}

void define_symbol(std::vector<std::string>& arguments, const char* name, std::uint32_t value) {
  arguments.push_back(fmt::format("-Wl,--defsym={}={:#x}", name, value));
}

std::string firmware_file(Processor processor) {
  switch (processor) {
    case Processor::kBrisc:
      return "brisc.cc";
    case Processor::kNcrisc:
      return "ncrisc.cc";
    case Processor::kIdleErisc:
      return "idle_erisc.cc";
    default:
      return "trisc.cc";
  }
}

/// `In file included from`, `In function`: where the complaint that follows them stands.
bool is_error_context(std::string_view line) {
  return line.starts_with("In file included from ") || line.find_first_not_of(' ') == line.find("from ") ||
         line.find(": In ") != std::string_view::npos || line.find(": At ") != std::string_view::npos;
}

/// What the compiler complains of, without the zones that code announces.
std::string error_lines(std::string_view log) {
  std::string text;
  std::string leading;
  while (!log.empty()) {
    const std::size_t end = std::min(log.find('\n'), log.size() - 1) + 1;
    const std::string_view line = log.substr(0, end);
    log.remove_prefix(end);
    if (is_error_context(line)) {
      leading += line;
      continue;
    }
    if (line.find("KERNEL_PROFILER") == std::string_view::npos) text += leading.append(line);
    leading.clear();
  }
  return text;
}

}  // namespace

std::vector<ZoneName> announced_zones(std::string_view log) {
  constexpr std::string_view kMark = "'#pragma message: ";
  constexpr std::string_view kEnd = ",KERNEL_PROFILER";
  std::vector<ZoneName> zones;
  for (std::size_t at = log.find(kMark); at != std::string_view::npos; at = log.find(kMark, at)) {
    at += kMark.size();
    const std::string_view line = log.substr(at, log.find('\n', at) - at);
    const std::size_t end = line.rfind(kEnd);
    if (end == std::string_view::npos) continue;
    // Names may have commas; files and numbers come last.
    const std::size_t last = line.rfind(',', end - 1);
    const std::size_t middle = last == std::string_view::npos || last == 0 ? last : line.rfind(',', last - 1);
    if (last == std::string_view::npos || middle == std::string_view::npos) continue;
    ZoneName zone;
    zone.key = std::string(line.substr(0, end + kEnd.size()));
    zone.name = std::string(line.substr(0, middle));
    zone.file = std::string(line.substr(middle + 1, last - middle - 1));
    std::from_chars(line.data() + last + 1, line.data() + end, zone.line);
    zone.id = device::zone_id(zone.key.c_str());
    const bool known =
        std::any_of(zones.begin(), zones.end(), [&](const ZoneName& other) { return other.key == zone.key; });
    if (!known) zones.push_back(std::move(zone));
  }
  return zones;
}

Result<Binary> Compiler::build(Arch arch, std::vector<std::string> arguments, const std::string& what) {
  arguments.insert(arguments.begin(), program_);
  const KernelCache cache(cache_folder_, fmt::format("{}", fmt::join(arguments, "\n")));
  std::optional<KernelCache::Entry> entry = cache.find();
  if (entry) {
    ++reused_;
  } else {
    for (const char* extra : {"-MD", "-MF"}) arguments.emplace_back(extra);
    arguments.push_back(cache.new_dependencies());
    arguments.emplace_back("-o");
    arguments.push_back(cache.new_binary());
    const CommandResult end = run_command(arguments);
    if (!end.started || (end.exit_code == 127 && end.output.empty())) {
      return failure(bad_input(fmt::format(
          "{}: the RISC-V compiler {} was not found; on Debian, install it with: apt-get install {}", what,
          program_, kPackage)));
    }
    if (end.exit_code != 0) {
      std::error_code ignored;
      std::filesystem::remove(cache.new_dependencies(), ignored);
      return failure(bad_input(fmt::format("{} does not compile:\n{}", what, error_lines(end.output))));
    }
    ++compiled_;
    Result<KernelCache::Entry> kept = cache.keep(end.output);
    if (!kept) return tl::unexpected(kept.error());
    entry = std::move(*kept);
  }
  Binary binary;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(entry->binary.data());
  Result<Image> image = read_elf({bytes, entry->binary.size()}, facts_of(arch).map->l1_bytes);
  if (!image) return failure(bad_input(fmt::format("{}: {}", what, image.error().message)));
  binary.image = std::move(*image);
  binary.zones = announced_zones(entry->log);
  binary.log = std::move(entry->log);
  return binary;
}

Result<Binary> Compiler::firmware(Arch arch, Processor processor, const ProfilerBuild& profiler) {
  Result<std::string> sources = unpack_device_sources(cache_folder_);
  if (!sources) return tl::unexpected(sources.error());
  std::vector<std::string> arguments = common_arguments(arch, processor, profiler, *sources);
  for (const std::string& more : {std::string("-DTTSCOPE_FIRMWARE"), *sources + "/firmware/start.S",
                                  *sources + "/firmware/" + firmware_file(processor), std::string("-T"),
                                  *sources + "/firmware/firmware.ld", std::string("-lgcc")}) {
    arguments.push_back(more);
  }
  define_symbol(arguments, "FIRMWARE_BASE", device::kFirmware[risc_of(processor)]);
  define_symbol(arguments, "FIRMWARE_BYTES", device::kFirmwareBytes);
  define_symbol(arguments, "STACK_TOP", device::kPrivateMemory + private_bytes(arch, processor));
  return build(arch, std::move(arguments), "firmware " + firmware_file(processor));
}

Result<Binary> Compiler::kernel(Arch arch, Processor processor, const ProfilerBuild& profiler,
                                const KernelSource& source) {
  Result<std::string> sources = unpack_device_sources(cache_folder_);
  if (!sources) return tl::unexpected(sources.error());
  std::error_code error;
  const std::string file = std::filesystem::absolute(source.file, error).string();
  if (!std::filesystem::is_regular_file(file, error))
    return failure(bad_input(fmt::format("{}: no such kernel", source.file)));
  std::vector<std::string> arguments = common_arguments(arch, processor, profiler, *sources);
  arguments.push_back(fmt::format("-DTTSCOPE_KERNEL=\"{}\"", file));
  if (!source.root.empty()) {
    const std::string root = std::filesystem::absolute(source.root, error).lexically_normal().string();
    arguments.push_back("-I" + root);
    arguments.push_back(fmt::format("-fmacro-prefix-map={}/=", root));
  }
  for (const std::string& define : source.defines) arguments.push_back("-D" + define);
  if (!source.compile_arguments.empty()) {
    arguments.push_back(
        fmt::format("-DKERNEL_COMPILE_TIME_ARGS={}", fmt::join(source.compile_arguments, ",")));
  }
  for (const std::string& more : {*sources + "/firmware/kernel.cc", std::string("-T"),
                                  *sources + "/firmware/kernel.ld", std::string("-lgcc")}) {
    arguments.push_back(more);
  }
  const std::uint32_t data = device::kPrivateMemory + device::kSharedPrivateBytes;
  define_symbol(arguments, "KERNEL_BASE", device::kKernels + risc_of(processor) * device::kKernelBytes);
  define_symbol(arguments, "KERNEL_BYTES", device::kKernelBytes);
  define_symbol(arguments, "DATA_BASE", data);
  define_symbol(arguments, "DATA_LIMIT",
                device::kPrivateMemory + private_bytes(arch, processor) - kMinStackBytes);
  return build(arch, std::move(arguments), "kernel " + source.file);
}

}  // namespace ttscope::chip
