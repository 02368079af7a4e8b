#include "mem/read/ttmem_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <simdjson.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/file_names.h"
#include "base/json_reader.h"
#include "base/result.h"
#include "base/text.h"
#include "io/open_input.h"
#include "mem/read/recorded_run_builder.h"

namespace ttscope::mem {

// How the readers of this folder use simdjson; for their .cc files only.

namespace json = simdjson::ondemand;

namespace {

/// A document that is being read: its parser, and what errors call it.
struct JsonDocument {
  std::string name;
  json::parser parser;
  json::document document;
};

/// `run_memory.json: what, expected what would be right`
Error bad_file(const JsonDocument& document, std::string_view what);
Error bad_file(const JsonDocument& document, simdjson::error_code code);

/// The text up to the next quote; the parser knows that there is one. Keys that we look for have no escapes.
std::string_view text_until_quote(const char* begin);

/// Calls take(key, value) for each field of an object; does nothing when the value is none. A broken document
/// gives its error.
template <typename Take>
simdjson::error_code for_each_field(json::value value, Take take) {
  json::object object;
  if (const auto error = value.get_object().get(object)) {
    return error == simdjson::INCORRECT_TYPE ? simdjson::SUCCESS : error;
  }
  for (auto field : object) {
    json::raw_json_string key;
    if (const auto error = field.key().get(key)) return error;
    json::value inner;
    if (const auto error = field.value().get(inner)) return error;
    if (const simdjson::error_code error = take(text_until_quote(key.raw()), inner)) return error;
  }
  return simdjson::SUCCESS;
}

/// The same for the elements of an array.
template <typename Take>
simdjson::error_code for_each_element(json::value value, Take take) {
  json::array array;
  if (const auto error = value.get_array().get(array)) {
    return error == simdjson::INCORRECT_TYPE ? simdjson::SUCCESS : error;
  }
  for (auto element : array) {
    json::value inner;
    if (const auto error = element.get(inner)) return error;
    if (const simdjson::error_code error = take(inner)) return error;
  }
  return simdjson::SUCCESS;
}

constexpr std::size_t kMaxBytes = 0xffffffff - simdjson::SIMDJSON_PADDING;  ///< that the parser can number
constexpr std::string_view kTooLarge =
    "is too large; make the page from the log: ttscope mem LOG --html PAGE";

/// Starts reading a text, which has PaddedText::kPaddingBytes of room behind it and outlives the document.
Result<void> open_document(JsonDocument& opened, std::string_view text) {
  if (text.size() > kMaxBytes) {
    return failure(bad_file(opened, kTooLarge));
  }
  static_assert(PaddedText::kPaddingBytes >= simdjson::SIMDJSON_PADDING);
  const simdjson::padded_string_view padded(text.data(), text.size(),
                                            text.size() + PaddedText::kPaddingBytes);
  if (const auto error = opened.parser.iterate(padded).get(opened.document))
    return failure(bad_file(opened, error));
  return {};
}

/// An error if anything stands behind the value that was read.
Result<void> check_end(JsonDocument& read) {
  if (read.document.current_location().error()) return {};
  return failure(bad_file(read, "has text behind its end"));
}

Error bad_file(const JsonDocument& document, std::string_view what) {
  return bad_input(fmt::format("{}: {}", document.name, what));
}

Error bad_file(const JsonDocument& document, simdjson::error_code code) {
  if (code == simdjson::MEMALLOC || code == simdjson::CAPACITY) return bad_file(document, kTooLarge);
  return bad_file(document,
                  fmt::format("not the JSON that ttscope mem --out or tt-memory-profiler writes ({})",
                              simdjson::error_message(code)));
}

std::string_view text_until_quote(const char* begin) { return {begin, std::strcspn(begin, "\"")}; }

// What a value holds; nothing when it is of another type. Texts are valid until the document is closed; they
// are copied only if anything in them is escaped.
std::optional<std::string_view> text_in(json::value value) {
  const std::string_view token = value.raw_json_token();  // with its quotes and what follows them
  if (token.size() >= 2 && token.front() == '"') {
    const std::string_view plain = text_until_quote(token.data() + 1);
    if (plain.find('\\') == std::string_view::npos) return plain;
  }
  std::string_view text;
  if (value.get_string().get(text)) return std::nullopt;
  return text;
}

std::optional<std::int64_t> integer_in(json::value value) {
  std::int64_t number = 0;
  if (!value.get_int64().get(number)) return number;
  return std::nullopt;
}

std::optional<double> number_in(json::value value) {
  double number = 0;
  if (value.get_double().get(number) || !std::isfinite(number)) return std::nullopt;
  return number;
}

/// false for anything but `true`
bool truth_in(json::value value) {
  bool truth = false;
  return !value.get_bool().get(truth) && truth;
}

// Each reads one file into the builder.
Result<void> read_operations(JsonDocument& file, RecordedRunBuilder& builder);
Result<void> read_memory(JsonDocument& file, RecordedRunBuilder& builder);
Result<void> read_registry(JsonDocument& file, RecordedRunBuilder& builder);
Result<void> read_modules(JsonDocument& file, RecordedRunBuilder& builder);

namespace fs = std::filesystem;

constexpr std::string_view kMemorySuffix = "_memory.json";
constexpr std::string_view kOperationsSuffix = "_operations.json";
constexpr std::string_view kRegistrySuffix = "_inputs_registry.json";
constexpr std::string_view kModulesSuffix = "_ir.json";

using ReadFile = Result<void> (*)(JsonDocument&, RecordedRunBuilder&);

/// Reads one file if it is there, and then lets go of its text. False when it is not.
Result<bool> read_file(std::optional<PaddedText>& text, std::string name, ReadFile read,
                       RecordedRunBuilder& builder) {
  if (!text) {
    builder.run().absent_files.push_back(fs::path(name).filename().string());
    return false;
  }
  JsonDocument document;
  document.name = std::move(name);
  builder.run().log.input_bytes += text->text().size();
  Result<void> done = open_document(document, text->text());
  if (done) done = read(document, builder);
  const std::string& warning = text->warning();
  // A document without its end is damaged: then this is what is the matter with it.
  if (!done && !warning.empty()) return failure(bad_input(done.error().message + "\n" + warning));
  if (!done) return failure(done.error());
  if (!warning.empty()) builder.run().log.warnings.push_back(warning);
  text.reset();
  return true;
}

}  // namespace

std::optional<RunFile> run_file_of(const std::string& path) {
  const fs::path whole(path);
  const std::string named = whole.filename().string();
  const std::string file(unpacked_name(named));
  for (const std::string_view suffix : {kMemorySuffix, kOperationsSuffix, kRegistrySuffix, kModulesSuffix}) {
    if (file.size() <= suffix.size() || !std::string_view(file).ends_with(suffix)) continue;
    const std::string folder = whole.parent_path().string();
    return RunFile{folder.empty() ? "." : folder, file.substr(0, file.size() - suffix.size())};
  }
  return std::nullopt;
}

Result<std::string> find_run_name(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string named = it->path().filename().string();
    std::string file(unpacked_name(named));
    if (file.size() <= kMemorySuffix.size() || !std::string_view(file).ends_with(kMemorySuffix)) continue;
    file.resize(file.size() - kMemorySuffix.size());
    names.push_back(std::move(file));
  }
  if (error) return failure(bad_input(fmt::format("{}: {}", folder, error.message())));
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());  // one may lie there packed too
  if (names.size() == 1) return names.front();
  if (names.empty()) {
    return failure(
        bad_input(fmt::format("{}: no NAME_memory.json here; expected the folder of a report, as "
                              "tt-memory-profiler --analyze LOG or "
                              "ttscope mem LOG --out DIR writes it",
                              folder)));
  }
  return failure(bad_input(
      fmt::format("{}: several runs here ({}); choose one with --name", folder, fmt::join(names, ", "))));
}

Result<RecordedRun> read_ttmem_texts(TtmemTexts texts) {
  RecordedRunBuilder builder;
  const auto name = [&](std::string_view suffix, const std::optional<PaddedText>& text) {
    return fmt::format("{}{}{}", texts.name, suffix, text ? text->packed_end() : std::string_view());
  };
  const std::string memory_name = name(kMemorySuffix, texts.memory);
  const std::string operations_name = name(kOperationsSuffix, texts.operations);
  if (!texts.memory) {
    return failure(bad_input(fmt::format(
        "{}: no such file; it is what tt-memory-profiler --analyze LOG or ttscope mem LOG --out DIR writes",
        memory_name)));
  }
  builder.run().log.files.push_back(memory_name);
  builder.run().log.file_lines.push_back(0);
  const Result<bool> operations = read_file(texts.operations, operations_name, read_operations, builder);
  if (!operations) return failure(operations.error());
  builder.run().has_operations = *operations;
  RETURN_IF_ERROR(read_file(texts.memory, memory_name, read_memory, builder));
  if (*operations && builder.operation_count() != builder.memory_count()) {
    return failure(
        bad_input(fmt::format("{}: has {} operations, {} has {}: not of one run", memory_name,
                              builder.memory_count(), operations_name, builder.operation_count())));
  }
  if (builder.memory_count() == 0) {
    return failure(nothing_found(
        fmt::format("{}: no operation was recorded; was it made from a complete log?", memory_name)));
  }
  ASSIGN_OR_RETURN(const bool registry,
                   read_file(texts.registry, name(kRegistrySuffix, texts.registry), read_registry, builder));
  builder.run().has_registry = registry;
  ASSIGN_OR_RETURN(const bool modules,
                   read_file(texts.modules, name(kModulesSuffix, texts.modules), read_modules, builder));
  builder.run().has_modules_file = modules;
  return builder.finish();
}

Result<RecordedRun> read_ttmem_files(const std::string& folder, const std::string& name) {
  TtmemTexts texts;
  texts.name = (fs::path(folder) / name).string();
  for (const auto& [suffix, to] :
       {std::pair(kMemorySuffix, &texts.memory), std::pair(kOperationsSuffix, &texts.operations),
        std::pair(kRegistrySuffix, &texts.registry), std::pair(kModulesSuffix, &texts.modules)}) {
    ASSIGN_OR_RETURN(std::optional<PaddedText> text, PaddedText::open(texts.name + std::string(suffix)));
    *to = std::move(text);
  }
  return read_ttmem_texts(std::move(texts));
}

namespace {

bool is_object(const io::Beginning& beginning) {
  return beginning.path_kind == io::PathKind::kFile && beginning.text().starts_with('{');
}

}  // namespace

bool is_report_folder(const io::Beginning& beginning) {
  constexpr std::string_view kSuffix = "_memory.json";
  return std::any_of(beginning.names.begin(), beginning.names.end(), [&](const std::string& name) {
    const std::string_view plain = unpacked_name(name);
    return plain.size() > kSuffix.size() && plain.ends_with(kSuffix);
  });
}

bool is_memory_file(const io::Beginning& beginning) {
  return is_object(beginning) && has_json_key(beginning.bytes, "metadata") &&
         (has_json_key(beginning.bytes, "memory_config") || has_json_key(beginning.bytes, "num_banks")) &&
         !has_json_key(beginning.bytes, "graph");
}

bool is_side_file_of_report(const io::Beginning& beginning) {
  const std::string_view text = beginning.bytes;
  if (is_object(beginning)) {
    return (has_json_key(text, "metadata") && has_json_list(text, "entries")) ||
           (has_json_key(text, "ttir") && has_json_key(text, "text"));
  }
  return beginning.path_kind == io::PathKind::kFile && looks_like_json(text) && has_json_key(text, "mlir_op");
}

namespace {

Error cannot_read(const std::string& path, int error_number) {
  return bad_input(fmt::format("{}: {}", path, std::strerror(error_number)));
}

/// The same file where its bytes are the text, else one with what is unpacked of it or made UTF-8.
Result<io::UnpackedFile> plain_file(FileDescriptor file, const std::string& path) {
  io::OpenInput input;
  input.file = std::move(file);
  input.name = path;
  input.regular = true;
  ASSIGN_OR_RETURN(const std::optional<std::uint64_t> start, io::plain_text_start(input));
  if (start) return io::UnpackedFile{std::move(input.file), {}};
  return io::unpack_to_file(std::move(input));
}

}  // namespace

PaddedText::PaddedText(std::string text) {
  const auto owned = std::make_shared<std::string>(std::move(text));
  const std::size_t size_bytes = owned->size();
  owned->resize(size_bytes + kPaddingBytes, '\0');
  text_ = without_byte_order_mark(std::string_view(*owned).substr(0, size_bytes));
  owner_ = owned;
}

Result<std::optional<PaddedText>> PaddedText::open(const std::string& path) {
  Result<std::optional<PaddedText>> text = open_as_named(path);
  for (const std::string_view end : kPackedEnds) {
    if (!text || text->has_value()) break;
    text = open_as_named(path + std::string(end));
    if (text && text->has_value()) (*text)->packed_end_ = end;
  }
  return text;
}

Result<std::optional<PaddedText>> PaddedText::open_as_named(const std::string& path) {
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.number() < 0) {
    if (errno == ENOENT) return std::optional<PaddedText>();
    return failure(cannot_read(path, errno));
  }
  struct stat facts {};
  if (fstat(file.number(), &facts) != 0) return failure(cannot_read(path, errno));
  if (!S_ISREG(facts.st_mode)) return failure(bad_input(fmt::format("{}: is not a regular file", path)));
  ASSIGN_OR_RETURN(io::UnpackedFile plain, plain_file(std::move(file), path));
  ASSIGN_OR_RETURN(PaddedText text, map(plain.file, path));
  text.warning_ = std::move(plain.warning);
  return std::optional<PaddedText>(std::move(text));
}

Result<PaddedText> PaddedText::map(const FileDescriptor& file, const std::string& path) {
  struct stat facts {};
  if (fstat(file.number(), &facts) != 0) return failure(cannot_read(path, errno));
  const auto size_bytes = static_cast<std::size_t>(facts.st_size);
  if (size_bytes == 0) return PaddedText(std::string());
  // Empty pages first, the file over their beginning: what is left of them is the padding.
  const std::size_t whole_bytes = size_bytes + kPaddingBytes;
  void* const pages = mmap(nullptr, whole_bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return failure(cannot_read(path, errno));
  const std::shared_ptr<const void> owner(
      pages, [whole_bytes](const void* at) { munmap(const_cast<void*>(at), whole_bytes); });
  if (mmap(pages, size_bytes, PROT_READ, MAP_PRIVATE | MAP_FIXED, file.number(), 0) == MAP_FAILED)
    return failure(cannot_read(path, errno));
  return PaddedText(without_byte_order_mark({static_cast<const char*>(pages), size_bytes}), owner);
}

namespace {

using simdjson::error_code;
using simdjson::SUCCESS;

/// MB with three decimals, as the log prints them.
bool take_figure(json::value value, MilliMib& to) {
  constexpr double kMax = 4.0e6;  // MB: still a 32-bit number of thousandths
  const auto number = number_in(value);
  if (!number || *number < 0 || *number > kMax) return false;
  to = static_cast<MilliMib>(std::llround(*number * 1000));
  return true;
}

error_code read_memory_view(json::value value, std::size_t m, RecordedState& state) {
  bool has_allocated = false;
  bool has_largest = false;
  const error_code broken = for_each_field(value, [&](std::string_view key, json::value inner) {
    if (key == "numBanks") {
      const auto banks = integer_in(inner);
      if (banks && *banks > 0 && *banks < 0x7fffffff)
        state.geometry.banks[m] = static_cast<std::uint32_t>(*banks);
    } else if (key == "totalBytesPerBank_MB") {
      take_figure(inner, state.geometry.total[m]);
    } else if (key == "totalBytesAllocatedPerBank_MB") {
      has_allocated = take_figure(inner, state.allocated[m]);
    } else if (key == "totalBytesFreePerBank_MB") {
      take_figure(inner, state.free[m]);
    } else if (key == "largestContiguousBytesFreePerBank_MB") {
      has_largest = take_figure(inner, state.largest_free[m]);
    }
    return SUCCESS;
  });
  if (!has_largest) state.largest_free[m] = state.free[m];
  if (has_allocated) state.present = static_cast<std::uint8_t>(state.present | 1u << m);
  return broken;
}

error_code read_state(json::value value, RecordedState& state) {
  return for_each_field(value, [&](std::string_view key, json::value inner) {
    for (const Memory memory : kMemories) {
      if (key == name_of(memory)) return read_memory_view(inner, index_of(memory), state);
    }
    return SUCCESS;
  });
}

error_code read_totals(json::value value, MemoryRecord& record) {
  return for_each_field(value, [&](std::string_view key, json::value inner) {
    for (const Memory memory : kTensorMemories) {
      if (key != name_of(memory)) continue;
      RecordedTotals& totals = record.totals[index_of(memory)];
      record.has_totals = true;
      return for_each_field(inner, [&](std::string_view name, json::value figure) {
        const bool wanted = name == "unpadded_bytes" || name == "padded_bytes" || name == "num_tensors";
        const auto number = wanted ? integer_in(figure) : std::nullopt;
        if (!number || *number < 0) return SUCCESS;
        if (name == "unpadded_bytes") totals.logical_bytes = *number;
        if (name == "padded_bytes") totals.padded_bytes = *number;
        if (name == "num_tensors" && *number < 0x7fffffff)
          totals.tensors = static_cast<std::uint32_t>(*number);
        return SUCCESS;
      });
    }
    return SUCCESS;
  });
}

error_code read_growth(json::value value, MemoryRecord& record) {
  return for_each_field(value, [&](std::string_view key, json::value inner) {
    for (const Memory memory : kTensorMemories) {
      if (key != name_of(memory)) continue;
      const auto bytes = integer_in(inner);
      constexpr std::int64_t kMax = std::int64_t{1} << 50;
      if (!bytes || *bytes > kMax || *bytes < -kMax) continue;
      record.op_facts.own_growth[index_of(memory)] = *bytes;
      record.op_facts.has_own_growth = true;
    }
    return SUCCESS;
  });
}

void take_text(json::value value, std::string_view& to) { to = text_in(value).value_or(std::string_view()); }

void take_integer(json::value value, std::int64_t& to) { to = integer_in(value).value_or(to); }

/// Fields that only ttscope writes.
error_code read_own_field(std::string_view key, json::value value, MemoryRecord& record) {
  if (key == "memory_after") return read_state(value, record.after);
  if (key == "own_growth") return read_growth(value, record);
  if (key == "memory_source") {
    const std::string_view source = text_in(value).value_or(std::string_view());
    record.is_own = true;
    if (source == "repeated") record.source = MemoryRecord::Source::kRepeated;
    if (source == "modelled") record.source = MemoryRecord::Source::kModeled;
  } else if (key == "memory_after_confidence") {
    record.after_measured = text_in(value) == "measured";
  } else if (key == "own_growth_confidence") {
    record.op_facts.own_growth_measured = text_in(value) == "measured";
  } else if (key == "line") {
    take_integer(value, record.line);
  } else if (key == "rank") {
    take_integer(value, record.rank);
  } else if (key == "file") {
    take_integer(value, record.file);
  } else if (key == "program") {
    record.has_program_field = true;
    take_text(value, record.program);
  } else if (key == "program_instance") {
    take_integer(value, record.instance);
  }
  return SUCCESS;
}

error_code read_field(std::string_view key, json::value value, MemoryRecord& record) {
  if (key == "memory") return read_state(value, record.before);
  if (key == "unpadded_memory") return read_totals(value, record);
  if (key == "op_type") {
    take_text(value, record.op_type);
  } else if (key == "mlir_op") {
    record.has_op = true;
    take_text(value, record.op);
  } else if (key == "loc") {
    take_text(value, record.loc);
  } else if (key == "index") {
    take_integer(value, record.index);
  } else if (key == "const_eval_graph") {
    take_text(value, record.const_eval_graph);
  } else if (key == "const_eval_cache_miss") {
    record.cache_miss = truth_in(value);
  } else if (key == "is_weight_op") {
    record.op_facts.is_weight_op = truth_in(value);
  } else {
    return read_own_field(key, value, record);
  }
  return SUCCESS;
}

/// The records; `complaint` gets what is wrong with one that can be read but does not fit.
error_code read_records(json::value list, RecordedRunBuilder& builder, std::string& complaint) {
  return for_each_element(list, [&](json::value element) {
    MemoryRecord record;
    const error_code broken = for_each_field(
        element, [&](std::string_view key, json::value value) { return read_field(key, value, record); });
    if (broken != SUCCESS) return broken;
    complaint = builder.add_memory(record);
    return complaint.empty() ? SUCCESS : simdjson::UNEXPECTED_ERROR;
  });
}

Result<void> read_memory(JsonDocument& file, RecordedRunBuilder& builder) {
  constexpr std::string_view kNoRecords =
      "has no list of operations; expected {\"metadata\": ..., \"operations\": [...]} or, as older tools "
      "wrote it, "
      "the array alone";
  json::value whole;
  if (const auto error = file.document.get_value().get(whole)) return failure(bad_file(file, error));
  json::json_type type{};
  if (const auto error = whole.type().get(type)) return failure(bad_file(file, error));
  std::string complaint;
  bool found = type == json::json_type::array;
  error_code broken = SUCCESS;
  if (found) {
    broken = read_records(whole, builder, complaint);
  } else {
    broken = for_each_field(whole, [&](std::string_view key, json::value value) {
      if (key != "operations" || found) return SUCCESS;
      found = true;
      return read_records(value, builder, complaint);
    });
  }
  if (!complaint.empty()) return failure(bad_file(file, complaint));
  if (broken != SUCCESS) return failure(bad_file(file, broken));
  if (!found) return failure(bad_file(file, kNoRecords));
  return check_end(file);
}

simdjson::error_code read_texts(json::value value, std::vector<std::string_view>& texts) {
  return for_each_element(value, [&](json::value element) {
    if (const auto text = text_in(element)) texts.push_back(*text);
    return simdjson::SUCCESS;
  });
}

simdjson::error_code read_field(std::string_view key, json::value value, OperationRecord& record) {
  const auto take_text = [&](std::string_view& to) {
    const auto text = text_in(value);
    if (text) to = *text;
    return text.has_value();
  };
  if (key == "inputs") return read_texts(value, record.inputs);
  if (key == "results") return read_texts(value, record.results);
  if (key == "result") {
    take_text(record.result);
  } else if (key == "mlir_op") {
    take_text(record.op);
  } else if (key == "attributes") {
    take_text(record.attributes);
  } else if (key == "discardable_attributes") {
    take_text(record.discardable);
  } else if (key == "input_types") {
    take_text(record.input_types);
  } else if (key == "output_type") {
    record.has_types = take_text(record.output_type);
  } else if (key == "is_weight_op") {
    record.is_weight_op = truth_in(value);
  }
  return simdjson::SUCCESS;
}

Result<void> read_operations(JsonDocument& file, RecordedRunBuilder& builder) {
  json::value whole;
  if (const auto error = file.document.get_value().get(whole)) return failure(bad_file(file, error));
  json::json_type type{};
  if (const auto error = whole.type().get(type)) return failure(bad_file(file, error));
  if (type != json::json_type::array) {
    return failure(bad_file(file, "is no array; expected the operations of a run, one object each"));
  }
  OperationRecord record;
  const simdjson::error_code error = for_each_element(whole, [&](json::value element) {
    OperationRecord next;
    next.inputs = std::move(record.inputs);  // their room is used again
    next.results = std::move(record.results);
    next.inputs.clear();
    next.results.clear();
    record = std::move(next);
    const simdjson::error_code broken = for_each_field(
        element, [&](std::string_view key, json::value value) { return read_field(key, value, record); });
    if (broken == simdjson::SUCCESS) builder.add_operation(record);
    return broken;
  });
  if (error != simdjson::SUCCESS) return failure(bad_file(file, error));
  return check_end(file);
}

ArgumentRole role_named(std::string_view name) {
  for (const ArgumentRole role : {ArgumentRole::kInput, ArgumentRole::kParameter, ArgumentRole::kConstant}) {
    if (name == name_of(role)) return role;
  }
  return ArgumentRole::kUnknown;
}

/// `2304x768`; a dim that is no number is unknown.
std::vector<std::int64_t> dims_of(std::string_view text) {
  std::vector<std::int64_t> dims;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('x'), text.size());
    std::int64_t dim = -1;
    const auto read = std::from_chars(text.data(), text.data() + end, dim);
    dims.push_back(read.ec == std::errc() && read.ptr == text.data() + end && dim >= 0 ? dim : -1);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return dims;
}

error_code read_entry_field(std::string_view key, json::value value, RecordedRunBuilder& builder) {
  RecordedArgument& entry = builder.run().arguments.back();
  if (key == "const_eval_graphs") {
    return for_each_element(value, [&](json::value element) {
      if (const auto text = text_in(element)) entry.const_eval_graphs.emplace_back(*text);
      return SUCCESS;
    });
  }
  const auto text = [&] { return text_in(value).value_or(std::string_view()); };
  if (key == "ssa") {
    if (const std::string_view ssa = text(); !ssa.empty()) entry.ssa = builder.tables().name(ssa);
  } else if (key == "name") {
    entry.name = text();
  } else if (key == "type") {
    entry.role = role_named(text());
  } else if (key == "shape") {
    entry.shape = dims_of(text());
  } else if (key == "dtype") {
    entry.dtype = text();
  } else if (key == "bytes") {
    const auto bytes = integer_in(value);
    entry.bytes = bytes && *bytes > 0 ? *bytes : 0;
  } else if (key == "same_as") {
    const auto index = integer_in(value);
    if (index && *index >= 0 && *index < kNone) entry.same_as = static_cast<std::uint32_t>(*index);
  } else if (key == "counted") {
    entry.counted = truth_in(value);
  } else if (key == "kv_cache") {
    entry.kv_cache = truth_in(value);
  } else if (key == "type_from_flow") {
    entry.role_from_flow = truth_in(value);
  }
  return SUCCESS;
}

Result<void> read_registry(JsonDocument& file, RecordedRunBuilder& builder) {
  json::value whole;
  if (const auto error = file.document.get_value().get(whole)) return failure(bad_file(file, error));
  bool found = false;
  const error_code broken = for_each_field(whole, [&](std::string_view key, json::value list) {
    if (key != "entries") return SUCCESS;
    found = true;
    return for_each_element(list, [&](json::value element) {
      builder.run().arguments.emplace_back();
      return for_each_field(element, [&](std::string_view name, json::value value) {
        return read_entry_field(name, value, builder);
      });
    });
  });
  if (broken != SUCCESS) return failure(bad_file(file, broken));
  if (!found)
    return failure(bad_file(file, "has no entries; expected {\"metadata\": ..., \"entries\": [...]}"));
  return check_end(file);
}

void append_lines(std::string_view text, std::vector<std::string_view>& lines) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// A module without a text was not in the log.
error_code read_module(json::value value, Stage stage, RecordedRunBuilder& builder,
                       RecordedModules& compilation) {
  ModuleDump module;
  module.stage = stage;
  std::string_view text;
  const error_code broken = for_each_field(value, [&](std::string_view key, json::value inner) {
    if (key == "text") text = text_in(inner).value_or(std::string_view());
    if (key == "line") {
      const auto line = integer_in(inner);
      if (line && *line > 0 && *line < kNone) module.line = static_cast<std::uint32_t>(*line);
    }
    return SUCCESS;
  });
  if (broken != SUCCESS || text.empty()) return broken;
  RuntimeLog& log = builder.run().log;
  append_lines(log.arena.copy(text), module.lines);
  compilation.modules.push_back(static_cast<std::uint32_t>(log.modules.size()));
  log.modules.push_back(std::move(module));
  return SUCCESS;
}

error_code read_part(std::string_view key, json::value value, RecordedRunBuilder& builder,
                     RecordedModules& compilation) {
  if (key == "ttir") return read_module(value, Stage::kTtir, builder, compilation);
  if (key == "ttnn") return read_module(value, Stage::kTtnn, builder, compilation);
  if (key != "programs") return SUCCESS;
  return for_each_element(value, [&](json::value element) {
    if (const auto text = text_in(element)) compilation.programs.emplace_back(*text);
    return SUCCESS;
  });
}

void keep(RecordedModules compilation, RecordedRunBuilder& builder) {
  if (!compilation.modules.empty()) builder.run().compilations.push_back(std::move(compilation));
}

Result<void> read_modules(JsonDocument& file, RecordedRunBuilder& builder) {
  json::value whole;
  if (const auto error = file.document.get_value().get(whole)) return failure(bad_file(file, error));
  RecordedModules first;
  std::vector<RecordedModules> further;
  bool found = false;
  const error_code broken = for_each_field(whole, [&](std::string_view key, json::value value) {
    found |= key == "ttir" || key == "ttnn";
    if (key != "graphs") return read_part(key, value, builder, first);
    return for_each_element(value, [&](json::value element) {
      RecordedModules& compilation = further.emplace_back();
      return for_each_field(element, [&](std::string_view name, json::value part) {
        return read_part(name, part, builder, compilation);
      });
    });
  });
  if (broken != SUCCESS) return failure(bad_file(file, broken));
  if (!found) return failure(bad_file(file, "has no modules; expected {\"ttir\": ..., \"ttnn\": ...}"));
  keep(std::move(first), builder);
  for (RecordedModules& compilation : further) keep(std::move(compilation), builder);
  return check_end(file);
}

}  // namespace

}  // namespace ttscope::mem
