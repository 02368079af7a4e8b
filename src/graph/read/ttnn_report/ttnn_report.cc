#include "graph/read/ttnn_report/ttnn_report.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "base/text_escape.h"
#include "io/whole_text.h"

namespace ttscope::graph {
namespace {

namespace fs = std::filesystem;

Result<JsonTree> load_tree(const std::string& path) {
  const Result<io::WholeText> text = io::open_whole_text(path);
  if (!text) return failure(text.error());
  return parse_json_tree(text->bytes(), path);
}

/// A sidecar: nothing when there is none.
Result<std::optional<JsonTree>> load_sidecar(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::optional<JsonTree>();
  Result<JsonTree> tree = load_tree(path.string());
  if (!tree) return failure(tree.error());
  return std::optional<JsonTree>(std::move(*tree));
}

using DeviceNumbers = std::map<std::int64_t, std::int64_t>;

DeviceNumbers device_numbers(const JsonTree& report) {
  std::set<std::int64_t> ids;
  for (const JsonTree& device : list_of(report, "devices")) ids.insert(number_of(device, "device_id"));
  DeviceNumbers numbers;
  for (const std::int64_t id : ids) numbers.emplace(id, static_cast<std::int64_t>(numbers.size()));
  return numbers;
}

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

void renumber_lists(JsonTree& report, std::string_view key, const DeviceNumbers& numbers) {
  JsonTree* const lists = report.find(key);
  if (lists == nullptr) return;
  for (JsonTree& list : lists->items()) {
    for (JsonTree& entry : list.items()) {
      renumber(entry, "device_id", numbers);
      if (JsonTree* pages = entry.find("pages")) {
        for (JsonTree& page : pages->items()) renumber(page, "device_id", numbers);
      }
    }
  }
}

void renumber_devices(JsonTree& report) {
  const DeviceNumbers numbers = device_numbers(report);
  if (numbers.empty()) return;
  for (JsonTree& device : report.find("devices")->items()) renumber(device, "device_id", numbers);
  if (JsonTree* graph = report.find("graph")) {
    for (JsonTree& node : graph->items()) {
      JsonTree* const params = node.find("params");
      if (params == nullptr) continue;
      renumber(*params, "device_id", numbers);
      renumber_device_tensors(*params, numbers);
    }
  }
  if (JsonTree* pages = report.find("buffer_pages")) {
    for (JsonTree& page : pages->items()) renumber(page, "device_id", numbers);
  }
  renumber_lists(report, "per_operation_buffers", numbers);
  renumber_lists(report, "buffer_pages_by_address", numbers);
}

/// A list of nodes alone, as a report of rank 0.
JsonTree report_of_nodes(JsonTree nodes) {
  JsonTree report = JsonTree::object();
  report.set("version", JsonTree::integer(1));
  report.set("graph", std::move(nodes));
  JsonTree metadata = JsonTree::object();
  metadata.set("rank", JsonTree::integer(0));
  report.set("metadata", std::move(metadata));
  return report;
}

/// Where sidecars come from: files or texts.
class Sidecars {
 public:
  using Loaded = Result<std::optional<JsonTree>>;
  virtual ~Sidecars() = default;
  virtual Loaded python_io() const = 0;
  virtual Loaded comparisons() const = 0;
};

class SidecarFiles final : public Sidecars {
 public:
  explicit SidecarFiles(fs::path report) : report_(std::move(report)) {}
  Loaded python_io() const override { return load_sidecar(beside(".python_io.json")); }
  Loaded comparisons() const override {
    Loaded own = load_sidecar(beside(".comparison_records.json"));
    if (!own || *own) return own;
    return load_sidecar(report_.parent_path() / "comparison_records.json");
  }

 private:
  fs::path beside(const char* extension) const { return fs::path(report_).replace_extension(extension); }
  fs::path report_;
};

class SidecarTexts final : public Sidecars {
 public:
  explicit SidecarTexts(const TtnnReportTexts& texts) : texts_(texts) {}
  Loaded python_io() const override { return parsed(texts_.python_io); }
  Loaded comparisons() const override { return parsed(texts_.comparisons); }

 private:
  Loaded parsed(const std::optional<std::string_view>& text) const {
    if (!text) return std::optional<JsonTree>();
    Result<JsonTree> tree = parse_json_tree(*text, texts_.name);
    if (!tree) return failure(tree.error());
    return std::optional<JsonTree>(std::move(*tree));
  }
  const TtnnReportTexts& texts_;
};

Result<void> add_sidecars(TtnnReport& file, const Sidecars& sidecars) {
  if (const JsonTree* own = file.report.find("python_io");
      own != nullptr && !own->is(JsonTree::Kind::kNull)) {
    file.python_io = *own;
  } else {
    Sidecars::Loaded sidecar = sidecars.python_io();
    if (!sidecar) return failure(sidecar.error());
    file.python_io = std::move(*sidecar);
  }
  Sidecars::Loaded sidecar = sidecars.comparisons();
  if (!sidecar) return failure(sidecar.error());
  file.comparisons = std::move(*sidecar);
  return {};
}

Result<TtnnReport> finish_report(const std::string& path, JsonTree report, const Sidecars& sidecars) {
  TtnnReport file;
  file.path = path;
  file.report = std::move(report);
  file.supported = number_of(file.report, "version") == 1;
  if (!file.supported) return file;
  const JsonTree* const metadata = file.report.find("metadata");
  const std::optional<std::int64_t> rank =
      metadata == nullptr ? std::nullopt : maybe_number(*metadata, "rank");
  if (!rank) {
    return failure(
        bad_input(fmt::format("{}: metadata.rank is missing; expected a report of end_graph_capture_to_file",
                              terminal_safe(path))));
  }
  file.rank = *rank;
  if (Result<void> added = add_sidecars(file, sidecars); !added) return failure(added.error());
  renumber_devices(file.report);
  return file;
}

Result<std::vector<TtnnReport>> reports_in(Result<JsonTree> tree, const std::string& path,
                                           const Sidecars& sidecars) {
  if (!tree) return failure(tree.error());
  std::vector<JsonTree> reports;
  if (tree->is(JsonTree::Kind::kObject)) {
    reports.push_back(std::move(*tree));
  } else if (!tree->items().empty() && tree->items().front().find("trace") != nullptr) {
    for (JsonTree& segment : tree->items()) {
      JsonTree* const trace = segment.find("trace");
      reports.push_back(report_of_nodes(trace == nullptr ? JsonTree::array() : std::move(*trace)));
    }
  } else {
    reports.push_back(report_of_nodes(std::move(*tree)));
  }
  std::vector<TtnnReport> files;
  for (JsonTree& report : reports) {
    Result<TtnnReport> file = finish_report(path, std::move(report), sidecars);
    if (!file) return failure(file.error());
    files.push_back(std::move(*file));
  }
  return files;
}

}  // namespace

const std::vector<JsonTree>& TtnnReport::graph() const { return list_of(report, "graph"); }

Result<std::vector<TtnnReport>> load_ttnn_reports(const std::string& path) {
  return reports_in(load_tree(path), path, SidecarFiles(path));
}

Result<std::vector<TtnnReport>> parse_ttnn_reports(const TtnnReportTexts& texts) {
  return reports_in(parse_json_tree(texts.report, texts.name), texts.name, SidecarTexts(texts));
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
