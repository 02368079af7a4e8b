#include "graph/read/graph_trace/graph_trace_reader.h"

#include <fmt/format.h>

#include <memory>

#include "base/json_cursor.h"
#include "base/text_escape.h"
#include "graph/read/graph_trace/capture_facts.h"
#include "graph/read/graph_trace/node_reader.h"

namespace ttscope::graph {
namespace {

/// The outer part of a file of captures.
class CaptureReader {
 public:
  CaptureReader(std::string_view text, std::string name, std::shared_ptr<const void> source)
      : text_(text), name_(std::move(name)), source_(std::move(source)), cursor_(text) {}

  Result<GraphCapture> read() {
    Result<void> done = {};
    if (cursor_.take('{')) {
      capture_.format = GraphCapture::Format::kReport;
      done = read_report();
    } else if (cursor_.take('[')) {
      done = read_list();
    } else {
      done = broken("expected a graph capture: a list of nodes, a report, or a list of segments");
    }
    if (done && !cursor_.is_at_end()) done = broken("expected the end of the file");
    if (!done) return failure(done.error());
    take_dram_banks(capture_);
    return std::move(capture_);
  }

 private:
  tl::unexpected<Error> broken(std::string_view what) {
    cursor_.peek();
    const std::size_t position = cursor_.position();
    const TextPlace place = place_in(text_, position);
    return failure(bad_input(fmt::format("{}:{}: {}{} (byte {} of {})", terminal_safe(name_), place.line,
                                         position == text_.size() ? "the file ends here; " : "", what,
                                         position, text_.size())));
  }

  /// The array of nodes at the cursor.
  Result<void> read_trace(std::string segment_name) {
    if (!cursor_.take('[')) return broken("expected a list of nodes");
    return read_nodes(std::move(segment_name));
  }

  /// The same behind its bracket.
  Result<void> read_nodes(std::string segment_name) {
    capture_.segments.push_back({std::move(segment_name), {}});
    GraphTrace& trace = capture_.segments.back().trace;
    trace.source = source_;
    NodeReader reader(text_, name_, trace);
    const Result<std::size_t> end = reader.read_array(cursor_.position());
    if (!end) return failure(end.error());
    cursor_.move_to(*end);
    return {};
  }

  /// Calls take(key) at each value of the object that the cursor is inside of.
  template <typename Take>
  Result<void> for_each_field(Take take) {
    if (cursor_.take('}')) return {};
    do {
      const std::optional<std::string_view> key = cursor_.take_string();
      if (!key) return broken("expected a key");
      if (!cursor_.take(':')) return broken("expected a colon");
      if (Result<void> taken = take(*key); !taken) return taken;
    } while (cursor_.take(','));
    if (!cursor_.take('}')) return broken("expected a comma or }");
    return {};
  }

  Result<std::string_view> any_value() {
    const std::optional<std::string_view> value = cursor_.take_value();
    if (!value) return broken(fmt::format("damaged JSON, expected {}", cursor_.expected()));
    return *value;
  }

  Result<void> read_report() {
    bool has_graph = false;
    Result<void> read = for_each_field([&](std::string_view key) -> Result<void> {
      if ((key == "graph" || key == "trace") && !has_graph && cursor_.peek() == '[') {
        has_graph = true;
        return read_trace({});
      }
      const Result<std::string_view> value = any_value();
      if (!value) return failure(value.error());
      if (key == "devices") capture_.devices = read_devices(*value);
      if (key == "metadata") read_metadata(*value, capture_);
      return {};
    });
    if (!read || has_graph) return read;
    return failure(bad_input(fmt::format(
        "{}: an object without \"graph\"; expected a graph capture or report", terminal_safe(name_))));
  }

  /// Segments have a list of nodes under `trace`; nodes have no such key.
  bool is_segment_next() {
    JsonCursor ahead = cursor_;
    if (!ahead.take('{')) return false;
    while (const std::optional<std::string_view> key = ahead.take_string()) {
      if (!ahead.take(':')) return false;
      if (*key == "trace") return ahead.peek() == '[';
      if (*key == "node_type" || *key == "counter" || *key == "connections") return false;
      if (!ahead.take_value() || !ahead.take(',')) return false;
    }
    return false;
  }

  Result<void> read_list() {
    if (!is_segment_next()) return read_nodes({});
    capture_.format = GraphCapture::Format::kSegments;
    do {
      if (!cursor_.take('{')) return broken("expected a segment: an object with name and trace");
      if (Result<void> read = read_segment(); !read) return read;
    } while (cursor_.take(','));
    if (!cursor_.take(']')) return broken("expected a comma or ]");
    return {};
  }

  Result<void> read_segment() {
    std::string name;
    bool has_trace = false;
    Result<void> read = for_each_field([&](std::string_view key) -> Result<void> {
      if (key == "trace" && !has_trace) {
        has_trace = true;
        return read_trace({});
      }
      const Result<std::string_view> value = any_value();
      if (!value) return failure(value.error());
      if (key == "devices" && capture_.devices.empty()) capture_.devices = read_devices(*value);
      if (key == "name" && value->size() >= 2 && value->front() == '"') {
        name = json_unescaped(value->substr(1, value->size() - 2)).value_or(std::string(*value));
      }
      return {};
    });
    if (!read) return read;
    if (!has_trace) return broken("a segment without \"trace\"");
    capture_.segments.back().name = std::move(name);
    return {};
  }

  std::string_view text_;
  std::string name_;
  std::shared_ptr<const void> source_;
  JsonCursor cursor_;
  GraphCapture capture_;
};

}  // namespace

Result<GraphCapture> read_graph_trace(const io::WholeText& text, const std::string& path) {
  Result<GraphCapture> capture = CaptureReader(text.bytes(), path, text.file).read();
  // Damaged JSON may only be the end of what could be unpacked.
  if (!capture && !text.warning.empty()) {
    return failure(bad_input(capture.error().message + "\n" + text.warning));
  }
  return capture;
}

Result<GraphCapture> parse_graph_capture(std::string_view json, const std::string& name) {
  const auto kept = std::make_shared<const std::string>(json);
  return CaptureReader(*kept, name, kept).read();
}

}  // namespace ttscope::graph
