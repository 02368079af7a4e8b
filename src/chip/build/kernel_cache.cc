#include "chip/build/kernel_cache.h"

#include <fmt/format.h>
#include <unistd.h>
#include <xxhash.h>

#include <atomic>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "base/writer.h"

namespace ttscope::chip {

namespace {

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

}  // namespace

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

}  // namespace ttscope::chip
