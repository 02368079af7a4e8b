#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <string>
#include <unordered_map>

#include "base/json_writer.h"
#include "base/resources.h"
#include "base/text.h"
#include "diff/outputs.h"
#include "ui/json_text.h"
#include "ui/page.h"

namespace ttscope::diff {
namespace {

/// Costs are whole numbers in columns: ns, bytes.
double column_scale(const DiffReport& report) { return report.unit == "us" ? 1000 : 1; }

/// The ops of one report as columns, with texts held once. Ids begin with `ops0.`, the number of the report.
class OpColumns {
 public:
  OpColumns(const DiffReport& report, const std::vector<ChangeGroup>& changes, std::size_t number,
            ui::PageBlobs& blobs)
      : report_(report), prefix_(fmt::format("ops{}.", number)), blobs_(blobs) {
    add_labels();
    add_changes(changes);
    // Whether the gap before the op is another one is a bit of its own.
    constexpr int kGapBit = 8;
    add<std::uint8_t>("kind", [](const DiffOp& op) {
      return static_cast<std::uint8_t>(static_cast<int>(op.kind) + (op.is_gap_beyond_noise ? kGapBit : 0));
    });
    add_cost("before", &DiffOp::before);
    add_cost("after", &DiffOp::after);
    add_cost("gap_before", &DiffOp::gap_before);
    add_cost("gap_after", &DiffOp::gap_after);
    add_row("before_row", &DiffOp::before_row);
    add_row("after_row", &DiffOp::after_row);
    add<std::uint32_t>("before_place", [](const DiffOp& op) { return op.before_place; });
    add<std::uint32_t>("after_place", [](const DiffOp& op) { return op.after_place; });
    add<std::uint8_t>("sure",
                      [](const DiffOp& op) { return static_cast<std::uint8_t>(100 * op.confidence); });
    add<std::uint32_t>("beside", [](const DiffOp& op) { return op.beside.value_or(kNone); });
  }

 private:
  template <typename T, typename Value>
  void add(std::string_view name, Value value, ui::ColumnEncoding stored = ui::ColumnEncoding::kPlain) {
    const std::vector<DiffOp>& ops = report_.ops;
    blobs_.add<T>(prefix_ + std::string(name), ops.size(), stored,
                  [&ops, value](std::size_t i) { return value(ops[i]); });
  }

  void add_cost(std::string_view name, double DiffOp::*cost) {
    add<std::int64_t>(name, [cost, scale = column_scale(report_)](const DiffOp& op) {
      return static_cast<std::int64_t>(std::llround(scale * op.*cost));
    });
  }

  /// -1: it is not there.
  void add_row(std::string_view name, std::optional<std::uint64_t> DiffOp::*row) {
    add<std::int64_t>(
        name, [row](const DiffOp& op) { return (op.*row) ? static_cast<std::int64_t>(*(op.*row)) : -1; },
        ui::ColumnEncoding::kDelta);
  }

  void add_numbers(std::string_view name, std::vector<std::uint32_t> numbers) {
    const auto shared = std::make_shared<const std::vector<std::uint32_t>>(std::move(numbers));
    blobs_.add<std::uint32_t>(prefix_ + std::string(name), shared->size(), ui::ColumnEncoding::kPlain,
                              [shared](std::size_t i) { return (*shared)[i]; });
  }

  void add_labels() {
    std::unordered_map<std::string_view, std::uint32_t> numbers;
    std::vector<std::string> labels;
    std::vector<std::uint32_t> of_ops;
    for (const DiffOp& op : report_.ops) {
      const std::string& text = op.label.empty() ? op.op : op.label;
      const auto [place, is_new] = numbers.try_emplace(text, static_cast<std::uint32_t>(labels.size()));
      if (is_new) labels.push_back(text);
      of_ops.push_back(place->second);
    }
    add_numbers("label", std::move(of_ops));
    blobs_.add_strings(prefix_ + "labels", std::move(labels));
  }

  /// The number of the change that an op is part of.
  void add_changes(const std::vector<ChangeGroup>& changes) {
    std::vector<std::uint32_t> of_ops(report_.ops.size(), kNone);
    for (std::uint32_t i = 0; i < changes.size(); ++i) {
      for (const std::uint32_t op : changes[i].ops) of_ops[op] = i;
    }
    add_numbers("change", std::move(of_ops));
  }

  const DiffReport& report_;
  std::string prefix_;
  ui::PageBlobs& blobs_;
};

/// One report as the page reads it but for its ops: sentences are ours.
class PageReport {
 public:
  PageReport(const DiffReport& report, const std::vector<ChangeGroup>& changes, JsonWriter& json)
      : report_(report), changes_(changes), json_(json) {}

  void write() {
    json_.object([&] {
      json_.field("different", report_.is_different);
      json_.field("verdict", verdict_text(report_));
      json_.field("cost", report_.cost_name);
      json_.field("unit", report_.unit);
      json_.field("scale", column_scale(report_));
      json_.field("row", report_.row_name);
      json_.field("remark", totals_remark(report_));
      json_.field("left_over_text", left_over_text(report_));
      json_.field("left_over", report_.noise.left_over);
      json_.field("band", report_.noise.band);
      write_side("before", report_.before_name, report_.before_what, report_.before_device);
      write_side("after", report_.after_name, report_.after_what, report_.after_device);
      write_texts();
      write_totals();
      write_changes();
      write_sums("categories", categories_and_gaps(report_));
      write_sums("movement", report_.movement);
      write_sums("classes", report_.classes);
      write_sums("placements", report_.placements);
      write_sums("layers", report_.layers);
      write_sums("devices", report_.devices);
    });
  }

 private:
  void write_side(std::string_view key, const std::string& name, const std::string& what,
                  const std::string& device) {
    json_.object(key, [&] {
      json_.field("input", name);
      json_.field("what", what);
      json_.field("device", device);
    });
  }

  void write_texts() {
    json_.list("cautions", report_.cautions,
               [&](const Caution& caution) { json_.value(caution_text(caution)); });
    json_.list("warnings", warning_texts(report_));
  }

  void write_totals() {
    json_.array("totals", [&] {
      for (const DiffTotal& total : report_.totals) {
        if (!total.before && !total.after) continue;
        json_.object([&] {
          json_.field("name", total.name);
          json_.field("unit", total.unit);
          json_.field("before", total.before);
          json_.field("after", total.after);
        });
      }
    });
  }

  void write_changes() {
    json_.objects("changes", changes_, [&](const ChangeGroup& change) {
      json_.field("text", group_text(report_, change));
      json_.field("change", change.change);
      json_.field("unannounced", change.is_intended_unknown);
    });
  }

  void write_sums(std::string_view key, const std::vector<DiffSum>& sums) {
    json_.list(key, sums, [&](const DiffSum& sum) {
      json_.array([&] {
        json_.value(sum.name);
        json_.value(sum.before);
        json_.value(sum.after);
      });
    });
  }

  const DiffReport& report_;
  const std::vector<ChangeGroup>& changes_;
  JsonWriter& json_;
};

}  // namespace

void write_diff_page(const std::vector<DiffReport>& reports, std::string_view tool_version, Writer& out) {
  ui::PageBlobs blobs;
  ui::TextCatcher document;
  JsonWriter json(document);
  json.object([&] {
    ui::write_document_head(json, "ttscope.diff_page/1", tool_version);
    json.array("reports", [&] {
      for (std::size_t i = 0; i < reports.size(); ++i) {
        const std::vector<ChangeGroup> changes = grouped_changes(reports[i]);
        PageReport(reports[i], changes, json).write();
        OpColumns(reports[i], changes, i, blobs);
      }
    });
    ui::write_columns(json, blobs);
  });
  constexpr unsigned kThreads = 2;
  std::vector<std::string> encoded(blobs.list().size());
  run_parallel(encoded.size(), kThreads,
               [&](std::size_t i) { encoded[i] = ui::encode_blob(blobs.list()[i]); });
  std::string_view rest = diff_page_template();
  rest = ui::write_page_until(out, rest, ui::kTitlePlaceholder, rest.find(ui::kTitlePlaceholder));
  out.write(markup_text(reports.front().before_name + " -> " + reports.front().after_name));
  rest = ui::write_page_until(out, rest, ui::kHeadPlaceholder, rest.find(ui::kHeadPlaceholder));
  ui::write_page_block(out, "application/json", "ttscope-diff", document.text());
  for (std::size_t i = 0; i < encoded.size(); ++i) {
    ui::write_page_block(out, "application/octet-stream", blobs.list()[i].id, encoded[i]);
  }
  out.write(rest);
}

}  // namespace ttscope::diff
