#include <string>

#include "base/json_writer.h"
#include "diff/outputs.h"
#include "ui/json_text.h"

namespace ttscope::diff {
namespace {

class DiffJson {
 public:
  /// `beside`: the report that DiffOp::beside refers to; may be null.
  DiffJson(const DiffReport& report, const DiffReport* beside, JsonWriter& json)
      : report_(report), other_(beside), json_(json) {}

  void write() {
    json_.field("different", report_.is_different);
    json_.field("cost", report_.cost_name);
    json_.field("unit", report_.unit);
    write_side("before", report_.before_name, report_.before_what, report_.before_device);
    write_side("after", report_.after_name, report_.after_what, report_.after_device);
    json_.objects("cautions", report_.cautions, [&](const Caution& caution) {
      json_.field("kind", key_of(caution.what));
      json_.field("name", caution.name);
      json_.field("before", caution.before);
      json_.field("after", caution.after);
      json_.field("text", caution_text(caution));
    });
    json_.objects("totals", report_.totals, [&](const DiffTotal& total) {
      json_.field("name", total.name);
      json_.field("unit", total.unit);
      json_.field("before", total.before);
      json_.field("after", total.after);
      json_.field("change", total.change());
    });
    write_noise();
    write_sums("categories", report_.categories);
    write_sums("movement", report_.movement);
    write_sums("classes", report_.classes);
    write_sums("placements", report_.placements);
    write_sums("layers", report_.layers);
    json_.objects("devices", report_.devices, [&](const DiffSum& device) {
      json_.field("name", device.name);
      json_.field("before", device.before);
      json_.field("after", device.after);
      json_.field("change", device.change());
    });
    json_.objects("changes", report_.changes, [&](const DiffChange& change) { write_change(change); });
    json_.objects("ops", report_.ops, [&](const DiffOp& op) { write_op(op); });
    json_.list("warnings", warning_texts(report_));
  }

 private:
  void write_side(std::string_view key, const std::string& name, const std::string& what,
                  const std::string& device) {
    json_.object(key, [&] {
      json_.field("input", name);
      json_.field("window", what);
      json_.field("device", device);
    });
  }

  void write_noise() {
    json_.object("noise", [&] {
      json_.field("equal_rows", report_.noise.equal_rows);
      json_.field("relative", report_.noise.relative);
      json_.field("band", report_.noise.band);
      json_.field("left_over", report_.noise.left_over);
      json_.field("from", report_.noise.is_rounding     ? "rounding"
                          : report_.noise.is_of_repeats ? "repeats"
                                                        : "unchanged_rows");
    });
  }

  void write_sums(std::string_view key, const std::vector<DiffSum>& sums) {
    json_.objects(key, sums, [&](const DiffSum& sum) {
      json_.field("name", sum.name);
      json_.field("before", sum.before);
      json_.field("after", sum.after);
      json_.field("change", sum.change());
      json_.field("ops_before", sum.ops_before);
      json_.field("ops_after", sum.ops_after);
    });
  }

  void write_change(const DiffChange& change) {
    json_.field("kind", key_of(change.what));
    json_.field("change", change.change);
    json_.field("cause", change.cause);
    json_.field("before", change.before_value);
    json_.field("after", change.after_value);
    json_.field("beside_a_larger_change", change.is_intended_unknown);
    json_.list("ops", change.ops);
  }

  void write_op(const DiffOp& op) {
    json_.field("op", op.op);
    json_.field("label", op.label);
    json_.field("layer", op.layer);
    json_.field("device", op.device < 0 ? std::nullopt : std::optional<std::int64_t>(op.device));
    json_.field("kind", key_of(op.kind));
    json_.field("before", op.before_row ? std::optional(op.before) : std::nullopt);
    json_.field("after", op.after_row ? std::optional(op.after) : std::nullopt);
    json_.field("change", op.change());
    json_.field("before_row", op.before_row);
    json_.field("after_row", op.after_row);
    json_.field("gap_before", op.gap_before);
    json_.field("gap_after", op.gap_after);
    json_.field("confidence", op.confidence);
    json_.field("beyond_noise", op.is_beyond_noise);
    if (op.beside && other_ != nullptr) write_other(other_->ops[*op.beside], *op.beside);
    std::vector<Cause> causes = op.causes;
    if (op.is_gap_beyond_noise)
      causes.push_back(
          {"gap", cost_text(op.gap_before, report_.unit), cost_text(op.gap_after, report_.unit)});
    json_.objects("causes", causes, [&](const Cause& cause) {
      json_.field("name", cause.name);
      json_.field("before", cause.before);
      json_.field("after", cause.after);
    });
  }

  /// The same op in the report of the other subject.
  void write_other(const DiffOp& other, std::uint32_t index) {
    json_.object("beside", [&] {
      json_.field("op", index);
      json_.field("cost", other_->cost_name);
      json_.field("unit", other_->unit);
      json_.field("before", other.before_row ? std::optional(other.before) : std::nullopt);
      json_.field("after", other.after_row ? std::optional(other.after) : std::nullopt);
      json_.field("change", other.change());
    });
  }

  const DiffReport& report_;
  const DiffReport* other_;
  JsonWriter& json_;
};

}  // namespace

void write_diff_json(const std::vector<DiffReport>& reports, std::string_view tool_version, Writer& out) {
  JsonWriter json(out, {.indented = false, .ascii = true});
  json.object([&] {
    ui::write_document_head(json, "ttscope.diff/1", tool_version);
    DiffJson(reports.front(), reports.size() > 1 ? &reports[1] : nullptr, json).write();
    json.array("also", [&] {
      for (std::size_t i = 1; i < reports.size(); ++i)
        json.object([&] { DiffJson(reports[i], nullptr, json).write(); });
    });
  });
  out.write('\n');
}

}  // namespace ttscope::diff
