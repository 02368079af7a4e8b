#include "diff/write/diff_page.h"

#include <string>
#include <unordered_map>

#include "base/json_writer.h"
#include "base/text_escape.h"
#include "diff/write/diff_text.h"
#include "report/document_head.h"
#include "report/json_text.h"
#include "report/page_frame.h"

namespace ttscope::diff {
namespace {

/// One report as the page reads it: sentences are ours, ops are rows of numbers with texts held once.
class PageReport {
 public:
  PageReport(const DiffReport& report, JsonWriter& json) : report_(report), json_(json) {}

  void write() {
    json_.begin_object();
    json_.field("different", report_.is_different);
    json_.field("verdict", verdict_text(report_));
    json_.field("cost", report_.cost_name);
    json_.field("unit", report_.unit);
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
    write_ops();
    json_.end_object();
  }

 private:
  void write_side(std::string_view key, const std::string& name, const std::string& what,
                  const std::string& device) {
    json_.key(key);
    json_.begin_object();
    json_.field("input", name);
    json_.field("what", what);
    json_.field("device", device);
    json_.end_object();
  }

  void write_texts() {
    json_.key("cautions");
    json_.begin_array();
    for (const Caution& caution : report_.cautions) json_.value(caution_text(caution));
    json_.end_array();
    json_.key("warnings");
    json_.begin_array();
    for (const std::string& warning : report_.warnings) json_.value(warning);
    json_.end_array();
  }

  void write_totals() {
    json_.key("totals");
    json_.begin_array();
    for (const DiffTotal& total : report_.totals) {
      if (!total.before && !total.after) continue;
      json_.begin_object();
      json_.field("name", total.name);
      json_.field("unit", total.unit);
      json_.field("before", total.before);
      json_.field("after", total.after);
      json_.end_object();
    }
    json_.end_array();
  }

  void write_changes() {
    json_.key("changes");
    json_.begin_array();
    for (const DiffChange& change : report_.changes) {
      json_.begin_object();
      json_.field("kind", key_of(change.what));
      json_.field("text", change_text(report_, change));
      json_.field("change", change.change);
      json_.field("unannounced", change.is_intended_unknown);
      json_.key("ops");
      json_.begin_array();
      for (const std::uint32_t op : change.ops) json_.value(op);
      json_.end_array();
      json_.end_object();
    }
    json_.end_array();
  }

  void write_sums(std::string_view key, const std::vector<DiffSum>& sums) {
    json_.key(key);
    json_.begin_array();
    for (const DiffSum& sum : sums) {
      json_.begin_array();
      json_.value(sum.name);
      json_.value(sum.before);
      json_.value(sum.after);
      json_.end_array();
    }
    json_.end_array();
  }

  /// The number of a text in `labels`.
  std::uint64_t label(const std::string& text) {
    const auto [place, is_new] = numbers_.try_emplace(text, labels_.size());
    if (is_new) labels_.push_back(&place->first);
    return place->second;
  }

  /// A number, or null for what is not there.
  template <typename Number>
  void number(bool is_there, Number value) {
    if (is_there) {
      json_.value(value);
    } else {
      json_.value(nullptr);
    }
  }

  void write_ops() {
    json_.key("ops");
    json_.begin_array();
    for (const DiffOp& op : report_.ops) {
      json_.begin_array();
      json_.value(label(op.label.empty() ? op.op : op.label));
      json_.value(static_cast<std::uint64_t>(op.kind));
      number(op.before_row.has_value(), op.before);
      number(op.after_row.has_value(), op.after);
      json_.value(op.gap_before);
      json_.value(op.gap_after);
      number(op.before_row.has_value(), op.before_row.value_or(0));
      number(op.after_row.has_value(), op.after_row.value_or(0));
      number(op.before_place != kNone, op.before_place);
      number(op.after_place != kNone, op.after_place);
      json_.value(op.confidence);
      number(op.beside.has_value(), op.beside.value_or(0));
      json_.end_array();
    }
    json_.end_array();
    json_.key("labels");
    json_.begin_array();
    for (const std::string* text : labels_) json_.value(*text);
    json_.end_array();
  }

  const DiffReport& report_;
  JsonWriter& json_;
  std::unordered_map<std::string, std::uint64_t> numbers_;
  std::vector<const std::string*> labels_;
};

}  // namespace

void write_diff_page(const std::vector<DiffReport>& reports, std::string_view tool_version, Writer& out) {
  std::string_view rest = diff_page_template();
  rest = report::write_page_until(out, rest, report::kTitleMark, rest.find(report::kTitleMark));
  out.write(markup_text(reports.front().before_name + " -> " + reports.front().after_name));
  rest = report::write_page_until(out, rest, report::kHeadMark, rest.find(report::kHeadMark));
  report::TextCatcher document;
  JsonWriter json(document);
  json.begin_object();
  report::write_document_head(json, "ttscope.diff_page/1", tool_version);
  json.key("reports");
  json.begin_array();
  for (const DiffReport& report : reports) PageReport(report, json).write();
  json.end_array();
  json.end_object();
  report::write_page_block(out, "application/json", "ttscope-diff", document.text());
  out.write(rest);
}

}  // namespace ttscope::diff
