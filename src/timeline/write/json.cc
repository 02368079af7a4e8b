#include <algorithm>
#include <memory>
#include <vector>

#include "base/json_writer.h"
#include "table/write.h"
#include "timeline/tables/tables.h"
#include "timeline/write/outputs.h"
#include "ui/json_text.h"

namespace ttscope::timeline {
namespace {

class Document {
 public:
  Document(const Profile& profile, Writer& out)
      : profile_(profile),
        timeline_(profile.timeline),
        tables_(tables_of(std::shared_ptr<const Profile>(std::shared_ptr<const void>(), &profile))),
        json_(out, {.indented = true}) {}

  void write(std::string_view tool_version) {
    json_.object([&] {
      ui::write_document_head(json_, "ttscope.timeline/1", tool_version);
      json_.field("name", profile_.name);
      json_.field("first_ns", timeline_.first_ns);
      json_.field("last_ns", timeline_.last_ns);
      json_.field("zones", timeline_.zones.size());
      write_sources();
      write_trust();
      write_table("statistics", "zone_stats",
                  {{"name"},
                   {"kind"},
                   {"file"},
                   {"line"},
                   {"count"},
                   {"without_length"},
                   {"tracks"},
                   {"track"},
                   {"total_ns"},
                   {"self_ns"},
                   {"mean_ns"},
                   {"median_ns"},
                   {"min_ns"},
                   {"max_ns"},
                   {"deviation_ns"}});
      write_table("tracks", "tracks",
                  {{"name"},
                   {"group_name"},
                   {"kind"},
                   {"id"},
                   {"device"},
                   {"core_x"},
                   {"core_y"},
                   {"zones"},
                   {"most_depth"}});
      write_table("messages", "messages", {{"time_ns"}, {"text"}, {"track"}});
      write_plots();
    });
  }

 private:
  void write_table(std::string_view key, std::string_view table,
                   const std::vector<table::JsonField>& fields) {
    const table::Table& source = *tables_.find(table);
    table::JsonRows rows(source, fields);
    json_.array(key, [&] {
      for (std::size_t i = 0; i < source.rows(); ++i) json_.object([&] { rows.write_next(json_); });
    });
  }

  void write_sources() {
    json_.objects("sources", timeline_.sources, [&](const TimelineSource& source) {
      json_.field("path", source.path);
      json_.field("format", source.format);
      json_.field("program", source.program);
      json_.field("host", source.host);
      json_.field("process", source.process);
      json_.field("captured_at_s", source.captured_at_s());
      json_.field("events_not_kept", source.skipped_events);
    });
  }

  void write_trust() {
    json_.object("trust", [&] {
      json_.objects("alignments", timeline_.alignments, [&](const Alignment& alignment) {
        json_.field("source", alignment.what);
        json_.field("basis", key_of(alignment.basis));
        json_.field("samples", alignment.samples);
        json_.field("worst_ns", known_or_null(alignment.worst_ns));
        write_peers(alignment.peers);
        json_.field("text", alignment_text(alignment));
      });
      write_table("problems", "problems", {{"problem"}, {"count"}, {"what"}, {"repaired"}});
      json_.list("warnings", warning_texts(timeline_));
      json_.list("findings", timeline_.findings, [this](const Finding& finding) { write_finding(finding); });
    });
  }

  /// Null: no exchanges bring the source to other devices alone.
  void write_peers(const PeerExchanges& peers) {
    if (peers.count == 0) return json_.field("peers", nullptr);
    json_.object("peers", [&] {
      json_.field("count", peers.count);
      json_.field("worst_ns", known_or_null(peers.worst_ns));
      json_.field("to_host", key_of(peers.to_host));
    });
  }

  /// A warning for other programs; what it has no figure or place of is null.
  void write_finding(const Finding& finding) {
    json_.object([&] {
      json_.field("kind", key_of(finding.kind));
      json_.field("file", text_or_null(finding.file));
      json_.field("problem", text_or_null(finding.problem));
      json_.field("detail", text_or_null(finding.text));
      json_.field("place", text_or_null(finding.place));
      json_.field("count", finding.count);
      json_.field("events", finding.events);
      json_.field("bytes", finding.bytes);
      json_.field("whole_bytes", finding.whole_bytes);
      json_.field("device", id_or_null(finding.device));
      json_.field("core_x", finding.core_x);
      json_.field("core_y", finding.core_y);
      json_.field("distance_ns", finding.device == kNone ? std::nullopt : std::optional(finding.distance_ns));
      json_.field("text", finding_text(finding));
    });
  }

  void write_plots() {
    json_.objects("plots", timeline_.plots, [&](const Plot& plot) {
      const auto [low, high] =
          std::minmax_element(plot.points.begin(), plot.points.end(),
                              [](const PlotPoint& a, const PlotPoint& b) { return a.value < b.value; });
      json_.field("name", timeline_.text(plot.name));
      json_.field("unit", key_of(plot.unit));
      json_.field("is_derived", plot.made);
      json_.field("points", plot.points.size());
      json_.field("least", low->value);
      json_.field("most", high->value);
    });
  }

  const Profile& profile_;
  const Timeline& timeline_;
  table::TableSet tables_;
  JsonWriter json_;
};

}  // namespace

void write_timeline_json(const Profile& profile, std::string_view tool_version, Writer& out) {
  Document(profile, out).write(tool_version);
  out.write('\n');
}

}  // namespace ttscope::timeline
