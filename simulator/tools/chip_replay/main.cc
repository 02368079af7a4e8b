// Runs again what a dump of the device profiler says was run, and dumps the words that are left then:
// `ttscope-chip-replay RUN.json --out FOLDER`. Kernels are looked for beside the dump. For the tests and for
// comparing simulators.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <ttscope_device/memory_map.h>

#include "base/files.h"
#include "base/json_reader.h"
#include "chip/build/compiler.h"
#include "chip/driver/card.h"
#include "chip/runtime/device.h"
#include "chip/simulator.h"

namespace {

using namespace ttscope;
using namespace ttscope::chip;

struct Options {
  std::string dump;
  std::string out = ".";
  std::string cache = "chip-cache";
  std::string library;
  std::string compiler = Compiler::kProgram;
};

[[noreturn]] void stop(const std::string& why) {
  fmt::print(stderr, "ttscope-chip-replay: {}\n", why);
  std::exit(1);
}

template <typename T>
T need(Result<T> result) {
  if (!result) stop(result.error().message);
  return std::move(*result);
}
void need(const Result<void>& result) {
  if (!result) stop(result.error().message);
}

const JsonTree& member(const JsonTree& object, std::string_view key) {
  const JsonTree* found = object.find(key);
  if (found == nullptr) stop(fmt::format("the dump has no `{}`", key));
  return *found;
}

std::int64_t number(const JsonTree& object, std::string_view key) {
  return member(object, key).whole_number().value_or(0);
}

Place place(const JsonTree& pair) {
  if (pair.items().size() != 2) stop("a place has two coordinates");
  return {static_cast<std::uint32_t>(pair.items()[0].whole_number().value_or(0)),
          static_cast<std::uint32_t>(pair.items()[1].whole_number().value_or(0))};
}

ProfilerBuild profiler_of(const JsonTree& run) {
  ProfilerBuild build;
  for (const JsonTree& define : member(run, "defines").items()) {
    const std::string& text = define.content();
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const std::uint32_t value =
        equals == std::string::npos ? 1 : static_cast<std::uint32_t>(std::stoul(text.substr(equals + 1)));
    if (name == "PROFILE_KERNEL") build.flags = value;
    if (name == "PROFILER_FULL_HOST_BUFFER_SIZE_PER_RISC") build.region_bytes = value;
    if (name == "PROFILE_NOC_EVENTS") build.noc_events = true;
    if (name == "DEVICE_DEBUG_DUMP") build.debug_dump = true;
  }
  return build;
}

constexpr std::string_view kRoles[] = {"brisc", "ncrisc", "trisc0", "trisc1", "trisc2"};

class Replay {
 public:
  explicit Replay(const Options& options)
      : options_(options),
        root_(std::filesystem::path(options.dump).parent_path().string()),
        compiler_(options.compiler, options.cache) {
    if (root_.empty()) root_ = ".";
    run_ = need(parse_json_tree(need(MappedFile::open(options.dump))->bytes(), options.dump));
    const Arch arch = member(run_, "arch").content() == "blackhole" ? Arch::kBlackhole : Arch::kWormhole;
    simulator_ = options.library.empty() ? embedded_simulator({{.arch = arch, .clock = {}, .latency = {}}})
                                         : need(library_simulator(options.library));
    card_ = std::make_unique<Card>(need(Card::open(*simulator_, 0)));
    std::optional<std::uint32_t> dram_address;
    if (run_.find("dram_address_word") != nullptr)
      dram_address = static_cast<std::uint32_t>(number(run_, "dram_address_word"));
    device_ = std::make_unique<Device>(*card_, compiler_, profiler_of(run_), dram_address);
  }

  void run() {
    RawDump dump(*device_, member(run_, "run").content(), member(run_, "title").content());
    if (const JsonTree* cores = run_.find("cores")) {
      std::vector<Place> places;
      for (const JsonTree& core : cores->items()) places.push_back(place(member(core, "noc0")));
      need(device_->boot(places));
      for (const JsonTree& program : member(run_, "programs").items()) play(program, dump);
      dump.cores(device_->cores());
    } else {
      need(device_->boot({place(member(member(run_, "core"), "noc0"))}));
      for (const JsonTree& step : member(run_, "timeline").items()) play_step(step, dump);
    }
    for (const ZoneName& zone : device_->firmware_zones()) add_zone(zone);
    need(dump.write(options_.out, zones_));
  }

 private:
  void add_zone(const ZoneName& zone) {
    for (const ZoneName& known : zones_) {
      if (known.key == zone.key) return;
    }
    zones_.push_back(zone);
  }

  void play_step(const JsonTree& step, RawDump& dump) {
    const BootedCore& core = device_->cores().front();
    const std::string& kind = step.items().at(0).content();
    const std::size_t index =
        step.items().size() > 1 ? static_cast<std::size_t>(step.items()[1].whole_number().value_or(0)) : 0;
    if (kind == "program") {
      play(member(run_, "programs").items().at(index), dump);
    } else if (kind == "snapshot") {
      dump.snapshot(core, member(member(run_, "snapshots").items().at(index), "label").content());
    } else if (kind == "replay_trace_message") {
      need(device_->replay_trace({core.place}));
      dump.event(kind);
    } else if (kind == "control_reset") {
      device_->reset_control(core);
      dump.event(kind);
    } else {
      stop(fmt::format("`{}` is no step of a timeline", kind));
    }
  }

  const Binary* binary(std::string_view role, const std::string& file, const JsonTree* defines) {
    KernelSource source = {root_ + "/" + file, root_, {}, {}};
    std::string key = fmt::format("{} {}", role, file);
    for (const JsonTree& define : defines == nullptr ? std::vector<JsonTree>() : defines->items()) {
      source.defines.push_back(define.content());
      key += " " + define.content();
    }
    const auto known = binaries_.find(key);
    if (known != binaries_.end()) return &known->second;
    const auto found = std::find(std::begin(kRoles), std::end(kRoles), role);
    const Processor processor =
        role == "erisc" ? Processor::kIdleErisc : static_cast<Processor>(found - std::begin(kRoles));
    Binary made = need(compiler_.kernel(device_->arch(), processor, device_->profiler(), source));
    for (const ZoneName& zone : made.zones) add_zone(zone);
    return &binaries_.emplace(key, std::move(made)).first->second;
  }

  void play(const JsonTree& program, RawDump& dump) {
    constexpr std::uint64_t kLateClock = std::uint64_t{1} << 31;
    Launch launch;
    launch.host_id = static_cast<std::uint32_t>(number(program, "host_id"));
    launch.enables = static_cast<std::uint32_t>(number(program, "enables"));
    const JsonTree& kernels = member(program, "kernels");
    for (std::size_t i = 0; i < kernels.items().size(); ++i) {
      const std::string& role = kernels.keys()[i];
      const auto found = std::find(std::begin(kRoles), std::end(kRoles), role);
      const std::size_t risc = role == "erisc" ? 0 : static_cast<std::size_t>(found - std::begin(kRoles));
      launch.kernels.at(risc) = binary(role, kernels.items()[i].content(), program.find("kernel_defines"));
    }
    const JsonTree& arguments = member(program, "args");
    std::vector<Launch> launches;
    std::vector<Place> places;
    for (const BootedCore& core : device_->cores()) {
      std::vector<std::uint32_t> words;
      for (const JsonTree& argument : arguments.items())
        words.push_back(static_cast<std::uint32_t>(argument.whole_number().value_or(0)));
      if (arguments.is(JsonTree::Kind::kText)) words.push_back(core.flat_id % 13);
      card_->write_words(core.place, ttscope_device::kCommonArguments, words);
      launch.core = core.place;
      launches.push_back(launch);
      places.push_back(core.place);
    }
    const std::uint64_t go_at = static_cast<std::uint64_t>(number(program, "go_at"));
    if (go_at > kLateClock) wait_for_clock(go_at);
    device_->start(launches);
    need(device_->wait(places));
    dump.program(program);
  }

  void wait_for_clock(std::uint64_t clock) {
    const Place at = device_->cores().front().place;
    while (true) {
      const std::uint64_t high = card_->read_word(at, ttscope_device::kClockHigh);
      const std::uint64_t now = high << 32 | card_->read_word(at, ttscope_device::kClockLow);
      if (now >= clock) return;
      simulator_->clock(static_cast<std::uint32_t>(std::min<std::uint64_t>(clock - now, 1u << 30)));
    }
  }

  Options options_;
  std::string root_;
  Compiler compiler_;
  JsonTree run_;
  std::unique_ptr<Simulator> simulator_;
  std::unique_ptr<Card> card_;
  std::unique_ptr<Device> device_;
  std::map<std::string, Binary> binaries_;
  std::vector<ZoneName> zones_;
};

}  // namespace

int main(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    std::string* value = option == "--out"        ? &options.out
                         : option == "--cache"    ? &options.cache
                         : option == "--library"  ? &options.library
                         : option == "--compiler" ? &options.compiler
                                                  : nullptr;
    if (value != nullptr && i + 1 < argc) {
      *value = argv[++i];
    } else if (!option.starts_with("-")) {
      options.dump = option;
    } else {
      options.dump.clear();
      break;
    }
  }
  if (options.dump.empty()) {
    std::fputs(
        "usage: ttscope-chip-replay RUN.json [--out FOLDER] [--cache FOLDER] [--library LIBTTSIM] "
        "[--compiler PROGRAM]\n",
        stderr);
    return 2;
  }
  Replay(options).run();
}
