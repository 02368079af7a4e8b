#include "chip/build/compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>

#include <ttscope_device/memory_map.h>
#include <ttscope_device/profiler_layout.h>

#include "chip/build/command.h"
#include "chip/build/device_sources.h"
#include "chip/build/kernel_cache.h"

namespace ttscope::chip {

namespace {

namespace device = ttscope_device;

/// Private memory that a kernel's variables must leave to the stack.
constexpr std::uint32_t kLeastStackBytes = 768;

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
bool leads_to_a_complaint(std::string_view line) {
  return line.starts_with("In file included from ") || line.find_first_not_of(' ') == line.find("from ") ||
         line.find(": In ") != std::string_view::npos || line.find(": At ") != std::string_view::npos;
}

/// What the compiler complains of, without the zones that code announces.
std::string complaints(std::string_view log) {
  std::string text;
  std::string leading;
  while (!log.empty()) {
    const std::size_t end = std::min(log.find('\n'), log.size() - 1) + 1;
    const std::string_view line = log.substr(0, end);
    log.remove_prefix(end);
    if (leads_to_a_complaint(line)) {
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
    const CommandEnd end = run_command(arguments);
    if (!end.started || (end.exit_code == 127 && end.output.empty())) {
      return failure(bad_input(fmt::format(
          "{}: the RISC-V compiler {} was not found; on Debian, install it with: apt-get install {}", what,
          program_, kPackage)));
    }
    if (end.exit_code != 0) {
      std::error_code ignored;
      std::filesystem::remove(cache.new_dependencies(), ignored);
      return failure(bad_input(fmt::format("{} does not compile:\n{}", what, complaints(end.output))));
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
                device::kPrivateMemory + private_bytes(arch, processor) - kLeastStackBytes);
  return build(arch, std::move(arguments), "kernel " + source.file);
}

}  // namespace ttscope::chip
