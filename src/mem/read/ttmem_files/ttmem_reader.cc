#include "mem/read/ttmem_files/ttmem_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/packed_name.h"
#include "mem/read/ttmem_files/records.h"

namespace ttscope::mem {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMemorySuffix = "_memory.json";
constexpr std::string_view kOperationsSuffix = "_operations.json";
constexpr std::string_view kRegistrySuffix = "_inputs_registry.json";
constexpr std::string_view kModulesSuffix = "_ir.json";

using ReadFile = Result<void> (*)(JsonDocument&, RunBuilder&);

/// Reads one file if it is there, and then lets go of its text. False when it is not.
Result<bool> read_file(std::optional<PaddedText>& text, std::string name, ReadFile read,
                       RunBuilder& builder) {
  if (!text) {
    builder.run().absent_files.push_back(fs::path(name).filename().string());
    return false;
  }
  JsonDocument document;
  document.name = std::move(name);
  builder.run().trace.input_bytes += text->text().size();
  Result<void> done = open_document(document, text->text());
  if (done) done = read(document, builder);
  const std::string& warning = text->warning();
  // A document without its end is damaged: then this is what is the matter with it.
  if (!done && !warning.empty()) return failure(bad_input(done.error().message + "\n" + warning));
  if (!done) return failure(done.error());
  if (!warning.empty()) builder.run().trace.warnings.push_back(warning);
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
  RunBuilder builder;
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
  builder.run().trace.files.push_back(memory_name);
  builder.run().trace.file_lines.push_back(0);
  const Result<bool> operations = read_file(texts.operations, operations_name, read_operations, builder);
  if (!operations) return failure(operations.error());
  builder.run().has_operations = *operations;
  const Result<bool> memory = read_file(texts.memory, memory_name, read_memory, builder);
  if (!memory) return failure(memory.error());
  if (*operations && builder.operation_count() != builder.memory_count()) {
    return failure(
        bad_input(fmt::format("{}: has {} operations, {} has {}: not of one run", memory_name,
                              builder.memory_count(), operations_name, builder.operation_count())));
  }
  if (builder.memory_count() == 0) {
    return failure(nothing_found(
        fmt::format("{}: no operation was recorded; was it made from a complete log?", memory_name)));
  }
  const Result<bool> registry =
      read_file(texts.registry, name(kRegistrySuffix, texts.registry), read_registry, builder);
  if (!registry) return failure(registry.error());
  builder.run().has_registry = *registry;
  const Result<bool> modules =
      read_file(texts.modules, name(kModulesSuffix, texts.modules), read_modules, builder);
  if (!modules) return failure(modules.error());
  builder.run().has_modules_file = *modules;
  return builder.finish();
}

Result<RecordedRun> read_ttmem_files(const std::string& folder, const std::string& name) {
  TtmemTexts texts;
  texts.name = (fs::path(folder) / name).string();
  for (const auto& [suffix, to] :
       {std::pair(kMemorySuffix, &texts.memory), std::pair(kOperationsSuffix, &texts.operations),
        std::pair(kRegistrySuffix, &texts.registry), std::pair(kModulesSuffix, &texts.modules)}) {
    Result<std::optional<PaddedText>> text = PaddedText::open(texts.name + std::string(suffix));
    if (!text) return failure(text.error());
    *to = std::move(*text);
  }
  return read_ttmem_texts(std::move(texts));
}

}  // namespace ttscope::mem
