#include "graph/read/ttnn_report.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "base/result.h"
#include "base/text.h"
#include "io/open_input.h"

namespace ttscope::graph {
namespace {

namespace fs = std::filesystem;

void renumber(JsonTree& object, std::string_view key, const DeviceNumbers& numbers) {
  JsonTree* const id = object.find(key);
  if (id == nullptr) return;
  const std::optional<std::int64_t> old = id->whole_number();
  if (!old) return;
  const auto found = numbers.find(*old);
  *id = JsonTree::integer(found == numbers.end() ? *old : found->second);
}

void renumber_device_tensors(JsonTree& params, const DeviceNumbers& numbers) {
  JsonTree* const text = params.find("device_tensors");
  if (text == nullptr || !text->is(JsonTree::Kind::kText)) return;
  Result<JsonTree> list = parse_json_tree(text->content(), "device_tensors");
  if (!list || !list->is(JsonTree::Kind::kArray)) return;
  for (JsonTree& entry : list->items()) {
    renumber(entry, "device_id", numbers);
    renumber(entry, "mesh_device_id", numbers);
  }
  *text = JsonTree::text(list->dump());
}

DeviceNumbers renumber_devices(JsonTree& head) {
  std::set<std::int64_t> ids;
  for (const JsonTree& device : list_of(head, "devices")) ids.insert(number_of(device, "device_id"));
  DeviceNumbers numbers;
  for (const std::int64_t id : ids) numbers.emplace(id, static_cast<std::int64_t>(numbers.size()));
  if (numbers.empty()) return numbers;
  for (JsonTree& device : head.find("devices")->items()) renumber(device, "device_id", numbers);
  return numbers;
}

/// A text that was read, and what keeps it.
struct Source {
  std::string_view text;
  std::shared_ptr<const void> keeper;
};

/// Where sidecars come from: files or texts. Nothing when there is none.
class Sidecars {
 public:
  using Loaded = Result<std::optional<Source>>;
  virtual ~Sidecars() = default;
  virtual Loaded python_io() const = 0;
  virtual Loaded comparisons() const = 0;
};

class SidecarFiles final : public Sidecars {
 public:
  explicit SidecarFiles(fs::path report) : report_(std::move(report)) {}
  Loaded python_io() const override { return load(beside(".python_io.json")); }
  Loaded comparisons() const override {
    Loaded own = load(beside(".comparison_records.json"));
    if (!own || *own) return own;
    return load(report_.parent_path() / "comparison_records.json");
  }

 private:
  static Loaded load(const fs::path& path) {
    std::error_code error;
    if (!fs::is_regular_file(path, error)) return std::optional<Source>();
    ASSIGN_OR_RETURN(const io::WholeText text, io::open_whole_text(path.string()));
    return std::optional<Source>({text.bytes(), text.file});
  }
  fs::path beside(const char* extension) const { return fs::path(report_).replace_extension(extension); }
  fs::path report_;
};

class SidecarTexts final : public Sidecars {
 public:
  explicit SidecarTexts(const TtnnReportTexts& texts) : texts_(texts) {}
  Loaded python_io() const override { return given(texts_.python_io); }
  Loaded comparisons() const override { return given(texts_.comparisons); }

 private:
  static Loaded given(const std::optional<std::string_view>& text) {
    return text ? std::optional<Source>({*text, nullptr}) : std::optional<Source>();
  }
  const TtnnReportTexts& texts_;
};

/// Reads the outer part of a file; what it finds inside is kept as text.
class ReportReader {
 public:
  ReportReader(const Source& source, const std::string& path, const Sidecars& sidecars)
      : source_(source), path_(path), sidecars_(sidecars) {}

  Result<std::vector<TtnnReport>> read() {
    JsonCursor cursor(source_.text);
    // All of it is passed once, so that damage anywhere is told with its place before anything is written.
    if (!cursor.take_value() || !cursor.is_at_end()) return damaged(cursor);
    Result<void> added = {};
    if (JsonCursor(source_.text).peek() == '{') {
      added = add_report(source_.text);
    } else {
      added = is_segments() ? add_segments() : add_nodes(source_.text, {});
    }
    if (!added) return failure(added.error());
    return std::move(reports_);
  }

 private:
  tl::unexpected<Error> damaged(const JsonCursor& cursor) const {
    const TextPlace place = place_in(source_.text, cursor.position());
    const std::string_view wanted = cursor.expected().empty() ? "the end of the file" : cursor.expected();
    return failure(
        bad_input(fmt::format("{}:{}: damaged JSON, expected {} (byte {} of {})", terminal_safe(path_),
                              place.line, wanted, cursor.position(), source_.text.size())));
  }

  bool is_segments() const {
    JsonCursor cursor(source_.text);
    cursor.take('[');
    const std::optional<std::string_view> first = cursor.peek() == '{' ? cursor.take_value() : std::nullopt;
    bool has_trace = false;
    if (first) for_each_member(*first, [&](std::string_view key, auto) { has_trace |= key == "trace"; });
    return has_trace;
  }

  Result<void> add_segments() {
    Result<void> added = {};
    std::string_view devices;  // those that the first segment names are those of all
    for_each_element(source_.text, [&](std::string_view segment) {
      std::string_view trace = "[]";
      for_each_member(segment, [&](std::string_view key, std::string_view value) {
        if (key == "trace") trace = value;
        if (key == "devices") devices = value;
      });
      if (added) added = add_nodes(trace, devices);
    });
    return added;
  }

  /// A list of nodes alone, as a report of rank 0.
  Result<void> add_nodes(std::string_view nodes, std::string_view devices) {
    TtnnReport file;
    file.head = JsonTree::object();
    file.head.set("version", JsonTree::integer(1));
    JsonTree metadata = JsonTree::object();
    metadata.set("rank", JsonTree::integer(0));
    file.head.set("metadata", std::move(metadata));
    if (!devices.empty()) file.head.set("devices", parse_json_tree(devices, path_).value_or(JsonTree()));
    take_nodes(nodes, file);
    file.continues = !reports_.empty();
    return finish(std::move(file));
  }

  static void take_nodes(std::string_view nodes, TtnnReport& file) {
    file.nodes.clear();
    for_each_element(nodes, [&](std::string_view node) { file.nodes.push_back(node); });
  }

  Result<void> add_report(std::string_view text) {
    TtnnReport file;
    file.head = JsonTree::object();
    std::string_view trace;
    Result<void> added = {};
    for_each_member(text, [&](std::string_view key, std::string_view value) {
      if (key == "graph") return take_nodes(value, file);
      if (key == "trace") trace = value;
      if (key == "python_io" && value != "null") return take_records({value, nullptr}, file);
      if (key == "buffer_pages") {
        file.pages = value;
        return;
      }
      if (key == "per_operation_buffers") {
        for_each_member(value, [&](std::string_view counter, std::string_view buffers) {
          file.operation_buffers.emplace_back(counter, buffers);
        });
        return;
      }
      if (key == "buffer_pages_by_address") {
        for_each_member(value, [&](std::string_view address, std::string_view pages) {
          file.pages_by_address[std::string(address)] = pages;
        });
        return;
      }
      Result<JsonTree> tree = parse_json_tree(value, path_);
      if (!tree && added) added = failure(tree.error());
      if (tree) file.head.set(json_unescaped(key).value_or(std::string(key)), std::move(*tree));
    });
    if (!added) return added;
    if (file.nodes.empty() && !trace.empty() && file.head.find("version") == nullptr)
      return add_nodes(trace, {});
    return finish(std::move(file));
  }

  static void take_records(const Source& source, TtnnReport& file) {
    for_each_element(source.text, [&](std::string_view record) { file.python_io.push_back(record); });
    if (source.keeper) file.sources.push_back(source.keeper);
  }

  Result<void> finish(TtnnReport file) {
    file.path = path_;
    if (source_.keeper) file.sources.push_back(source_.keeper);
    file.supported = number_of(file.head, "version") == 1;
    if (file.supported) {
      const JsonTree* const metadata = file.head.find("metadata");
      const std::optional<std::int64_t> rank =
          metadata == nullptr ? std::nullopt : maybe_number(*metadata, "rank");
      if (!rank) {
        return failure(bad_input(
            fmt::format("{}: metadata.rank is missing; expected a report of end_graph_capture_to_file",
                        terminal_safe(path_))));
      }
      file.rank = *rank;
      if (Result<void> added = add_sidecars(file); !added) return added;
      file.device_numbers = renumber_devices(file.head);
    }
    reports_.push_back(std::move(file));
    return {};
  }

  Result<void> add_sidecars(TtnnReport& file) const {
    if (file.python_io.empty()) {
      Sidecars::Loaded sidecar = sidecars_.python_io();
      if (!sidecar) return failure(sidecar.error());
      if (*sidecar) take_records(**sidecar, file);
    }
    Sidecars::Loaded sidecar = sidecars_.comparisons();
    if (!sidecar) return failure(sidecar.error());
    if (!*sidecar) return {};
    ASSIGN_OR_RETURN(JsonTree tree, parse_json_tree((*sidecar)->text, path_));
    file.comparisons = std::move(tree);
    return {};
  }

  const Source& source_;
  const std::string& path_;
  const Sidecars& sidecars_;
  std::vector<TtnnReport> reports_;
};

}  // namespace

JsonTree TtnnReport::piece(std::string_view text) const {
  JsonTree tree = parse_json_tree(text, path).value_or(JsonTree());
  if (!device_numbers.empty()) renumber(tree, "device_id", device_numbers);
  return tree;
}

JsonTree TtnnReport::node(std::size_t index) const {
  JsonTree tree = parse_json_tree(nodes[index], path).value_or(JsonTree());
  JsonTree* const params = device_numbers.empty() ? nullptr : tree.find("params");
  if (params == nullptr) return tree;
  renumber(*params, "device_id", device_numbers);
  renumber_device_tensors(*params, device_numbers);
  return tree;
}

Result<std::vector<TtnnReport>> load_ttnn_reports(const std::string& path) {
  ASSIGN_OR_RETURN(const io::WholeText text, io::open_whole_text(path));
  const Source source{text.bytes(), text.file};
  const SidecarFiles sidecars(path);
  return ReportReader(source, path, sidecars).read();
}

Result<std::vector<TtnnReport>> parse_ttnn_reports(const TtnnReportTexts& texts) {
  const Source source{texts.report, nullptr};
  const SidecarTexts sidecars(texts);
  return ReportReader(source, texts.name, sidecars).read();
}

std::optional<std::int64_t> maybe_number(const JsonTree& object, std::string_view key) {
  const JsonTree* const value = object.find(key);
  return value == nullptr ? std::nullopt : value->whole_number();
}

std::int64_t number_of(const JsonTree& object, std::string_view key, std::int64_t otherwise) {
  return maybe_number(object, key).value_or(otherwise);
}

std::optional<std::string> maybe_text(const JsonTree& object, std::string_view key) {
  const JsonTree* const value = object.find(key);
  if (value == nullptr || value->is(JsonTree::Kind::kNull)) return std::nullopt;
  return value->shown();
}

const JsonTree& params_of(const JsonTree& node) {
  static const JsonTree kNoParams = JsonTree::object();
  const JsonTree* const params = node.find("params");
  return params == nullptr ? kNoParams : *params;
}

const std::vector<JsonTree>& list_of(const JsonTree& object, std::string_view key) {
  static const std::vector<JsonTree> kNoItems;
  const JsonTree* const list = object.find(key);
  return list != nullptr && list->is(JsonTree::Kind::kArray) ? list->items() : kNoItems;
}

std::string_view node_type_of(const JsonTree& node) {
  for (const std::string_view key : {"node_type", "name"}) {
    const JsonTree* const type = node.find(key);
    if (type != nullptr && type->is(JsonTree::Kind::kText)) return type->content();
  }
  return {};
}

}  // namespace ttscope::graph
