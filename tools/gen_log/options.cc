#include "options.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "json_text.h"

namespace ttscope::gen_log {

namespace {

struct Flag {
  std::string_view word;
  bool Options::*member;
};
struct Number {
  std::string_view word;
  std::int64_t Options::*member;
  std::int64_t smallest;
  std::int64_t largest;
};
struct Text {
  std::string_view word;
  std::string Options::*member;
};

constexpr std::array<Flag, 12> kFlags = {{
    {"--compact", &Options::compact},
    {"--distinct-locs", &Options::distinct_locations},
    {"--keep-live", &Options::keep_live},
    {"--no-memory", &Options::no_memory},
    {"--no-ops", &Options::no_ops},
    {"--no-modules", &Options::no_modules},
    {"--program-level", &Options::program_level},
    {"--oom", &Options::out_of_memory},
    {"--plain", &Options::plain},
    {"--crlf", &Options::crlf},
    {"--help", &Options::help},
    {"-h", &Options::help},
}};

constexpr std::array<Number, 10> kNumbers = {{
    {"--ranks", &Options::ranks, 1, 64},
    {"--runs", &Options::runs, 1, 1000000000},
    {"--layers", &Options::layers, 1, 10000},
    {"--hidden", &Options::hidden, 64, 65536},
    {"--batch", &Options::batch, 1, 1024},
    {"--sequence", &Options::sequence, 1, 8192},
    {"--vocabulary", &Options::vocabulary, 32, 1048576},
    {"--dram", &Options::dram_bytes, 4096, 1LL << 42},
    {"--target-mb", &Options::target_mb, 1, 1000000},
    {"--seed", &Options::seed, 0, 1000000000},
}};

constexpr std::array<Text, 5> kTexts = {{
    {"-o", &Options::output},
    {"--output", &Options::output},
    {"--truth", &Options::truth},
    {"--device", &Options::device},
    {"--fail", &Options::fail},
}};

template <typename Table>
const typename Table::value_type* find_word(const Table& table, std::string_view word) {
  const auto found =
      std::find_if(table.begin(), table.end(), [word](const auto& row) { return row.word == word; });
  return found == table.end() ? nullptr : &*found;
}

std::string read_number(const Number& row, std::string_view text, Options& options) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < row.smallest ||
      value > row.largest) {
    return std::string(row.word) + " wants a whole number from " + std::to_string(row.smallest) + " to " +
           std::to_string(row.largest) + ", not '" + std::string(text) + "'";
  }
  options.*row.member = value;
  return "";
}

std::string check(const Options& options) {
  if (find_device(options.device) == nullptr)
    return "--device is wormhole or blackhole, not '" + options.device + "'";
  const std::int64_t unit = options.hidden >= 1024 ? 128 : 64;
  if (options.hidden % unit != 0) return "--hidden must be a multiple of " + std::to_string(unit);
  if (options.vocabulary % 32 != 0) return "--vocabulary must be a multiple of 32";
  if (options.batch > 1 && !options.compact) return "--batch goes with --compact";
  if (options.no_ops && options.no_memory) return "--no-ops and --no-memory together leave nothing to print";
  if (options.out_of_memory && (options.ranks > 1 || options.target_mb > 0 || options.keep_live)) {
    return "--oom goes with one rank, without --target-mb and --keep-live";
  }
  if (!options.fail.empty()) {
    if (!failure_named(options.fail))
      return "--fail is exhausted, fragmented, too-large, l1, region, cb-exceeds or cb-clash, not '" +
             options.fail + "'";
    if (options.out_of_memory || options.ranks > 1 || options.target_mb > 0 || options.keep_live)
      return "--fail goes with one rank, without --oom, --target-mb and --keep-live";
  }
  return "";
}

}  // namespace

ParsedOptions parse_options(int count, const char* const* words) {
  ParsedOptions parsed;
  for (int i = 1; i < count && parsed.error.empty(); ++i) {
    const std::string_view word = words[i];
    const Flag* flag = find_word(kFlags, word);
    const Number* number = find_word(kNumbers, word);
    const Text* text = find_word(kTexts, word);
    if (flag != nullptr) {
      parsed.options.*flag->member = true;
    } else if (number == nullptr && text == nullptr) {
      parsed.error = "unknown option '" + std::string(word) + "' (see --help)";
    } else if (i + 1 == count) {
      parsed.error = std::string(word) + " wants a value";
    } else if (number != nullptr) {
      parsed.error = read_number(*number, words[++i], parsed.options);
    } else {
      parsed.options.*text->member = words[++i];
    }
  }
  if (parsed.error.empty()) parsed.error = check(parsed.options);
  return parsed;
}

std::string_view help_text() {
  return R"(ttscope-gen-log: writes a runtime log as TT-XLA prints it: a small transformer on a simulated device

usage: ttscope-gen-log [options]

  -o, --output FILE   the log (default: standard output)
  --truth FILE        what really happened, in exact bytes, as JSON

  --device NAME       wormhole (default) or blackhole
  --ranks R           R processes in one file, with mpirun's tags, interleaved in bursts (default 1)
  --dram BYTES        DRAM for tensors in each bank (default: as the device has); what finds no room fails
  --runs N            runs of the program (default 3)
  --target-mb M       more runs until the log has M megabytes (1,000,000 bytes)
  --layers L          decoder layers (default 2)
  --hidden H          width of the model (default 512)
  --batch B           inputs of a run (default 1); with --compact
  --sequence S        tokens in a run (default 32)
  --vocabulary V      words of the first rank; every further rank has 2048 more (default 8192)
  --compact           few ops in a layer and few module stages, for small samples
  --seed N            decides hashes and the order of the ranks (default 1)

  --distinct-locs     locations differ from run to run
  --keep-live         one program whose body is repeated N times; nothing outside L1 is ever deallocated
                      (the DRAM of the device is then without limit)
  --no-memory         no memory blocks
  --no-ops            no debug lines of the runtime: memory blocks without ops
  --no-modules        no module dumps
  --program-level     memory blocks before and after submit too
  --oom               outputs pile up from run to run and DRAM is cut, so that an op of the last run runs
                      out of memory (or a const-eval function of the first run, if that needs most)
  --fail KIND         the run ends by a failure: exhausted, fragmented or too-large (an op finds no DRAM, which
                      is cut for it), l1 (the same in L1), region (L1_SMALL is too small), cb-exceeds or
                      cb-clash (circular buffers). The truth has the tensors that lived then
  --plain             no colours
  --crlf              lines end in CR LF
)";
}

std::string options_json(const Options& options) {
  JsonObject object;
  object.string("device", options.device);
  for (const Number& row : kNumbers) {
    std::string key(row.word.substr(2));
    std::replace(key.begin(), key.end(), '-', '_');
    object.number(key, options.*row.member);
  }
  for (const Flag& row : kFlags) {
    if (row.member == &Options::help) continue;
    std::string key(row.word.substr(2));
    std::replace(key.begin(), key.end(), '-', '_');
    object.boolean(key, options.*row.member);
  }
  if (!options.fail.empty()) object.string("fail", options.fail);
  return object.text();
}

ModelShape model_shape(const Options& options, std::int64_t rank) {
  constexpr std::int64_t kWordsMorePerRank = 2048;
  ModelShape shape;
  shape.layers = options.layers;
  shape.hidden = options.hidden;
  shape.batch = options.batch;
  shape.sequence = options.sequence;
  shape.vocabulary = options.vocabulary + rank * kWordsMorePerRank;
  shape.cache_length = std::max<std::int64_t>(128, (options.sequence + 31) / 32 * 32);
  shape.compact = options.compact;
  shape.keep_live = options.keep_live;
  return shape;
}

RunPlan run_plan(const Options& options, const Device& device) {
  // More than any device has; the figures stay exact in 64 bits.
  constexpr std::int64_t kUnlimitedBytesPerBank = std::int64_t{1} << 42;
  RunPlan plan;
  plan.runs = options.runs;
  plan.target_bytes = options.target_mb * 1000000;
  plan.dram_bytes_per_bank = options.keep_live ? kUnlimitedBytesPerBank : device.dram_bytes_per_bank;
  if (options.dram_bytes > 0) plan.dram_bytes_per_bank = options.dram_bytes;
  plan.l1_bytes_per_bank = device.l1_bytes_per_bank;
  plan.keep_live = options.keep_live;
  plan.keep_outputs = options.out_of_memory || !options.fail.empty();
  plan.seed = static_cast<std::uint64_t>(options.seed);
  plan.print = {!options.no_ops, !options.no_memory, options.program_level, options.distinct_locations};
  return plan;
}

}  // namespace ttscope::gen_log
