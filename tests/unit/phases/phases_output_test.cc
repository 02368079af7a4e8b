// The report on phases in every form: hostile names, figures that agree, the picture.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "phases/analyze/phase_analysis.h"
#include "phases/classic_analysis.h"
#include "phases/write/outputs.h"
#include "phases/write/plot.h"
#include "support/phase_text.h"
#include "ui/plot.h"

namespace ttscope::phases {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::read_phases;
using testing::usual_summary;

constexpr std::string_view kHead = "Total parameters: 503316480\nAvailable Device Memory: 12288 MB\n";

struct Outputs {
  std::string text;
  std::string json;
  std::string markdown;
  std::string page;
  std::string svg;
};

template <typename Write>
std::string written(Write write) {
  StringWriter out;
  write(out);
  EXPECT_TRUE(out.finish());
  return out.text();
}

Outputs outputs_of(const std::string& log_text, const std::string& title = {}) {
  const Profile profile = profile_of(read_phases(log_text));
  Outputs outputs;
  outputs.text = phases_summary_text(profile, {});
  outputs.json = written([&](Writer& out) { write_phases_json(profile, out, {"1", title}); });
  outputs.markdown = written([&](Writer& out) { write_phases_markdown(profile, title, out); });
  outputs.page = written([&](Writer& out) { write_phases_page(profile, out, {"1", title}); });
  outputs.svg =
      written([&](Writer& out) { ui::write_svg(layout_plot(phases_plot(profile.analysis, title)), out); });
  return outputs;
}

TEST(PhasesOutput, EveryFormSaysThePeakAndTheVerdict) {
  const Outputs outputs = outputs_of(std::string(kHead) + usual_summary());
  EXPECT_THAT(outputs.text, HasSubstr("does not fit"));
  EXPECT_THAT(outputs.text, HasSubstr("Peak of 12400.00 MB in BACKWARD_PASS (line 17)"));
  EXPECT_THAT(outputs.json, HasSubstr("\"schema\": \"ttscope.phases/1\""));
  EXPECT_THAT(outputs.json, HasSubstr("\"bytes\": 13002342400"));
  EXPECT_THAT(outputs.json, HasSubstr("\"fits\": false"));
  EXPECT_THAT(outputs.markdown, HasSubstr("| 12400.00 | 12288.00 | 100.9% | does not fit |"));
  EXPECT_THAT(outputs.page, HasSubstr("id=\"ttscope-phases\""));
  EXPECT_THAT(outputs.svg, HasSubstr(">Total: 12400 MB</text>"));
}

TEST(PhasesOutput, TextOfTheLogIsHarmlessInEveryForm) {
  std::string text = std::string(kHead) + usual_summary();
  text.replace(text.find("FORWARD_PASS"), 12, "FORWARD\x1b]0;x\x07</script><b>|`");
  const Outputs outputs = outputs_of(text, "<i>\x1b[2J\"&");
  for (const std::string* form :
       {&outputs.text, &outputs.json, &outputs.markdown, &outputs.page, &outputs.svg}) {
    EXPECT_THAT(*form, Not(HasSubstr("\x1b")));
    EXPECT_THAT(*form, Not(HasSubstr("\x07")));
  }
  EXPECT_THAT(outputs.page, Not(HasSubstr("</script><b>")));
  EXPECT_THAT(outputs.page, HasSubstr("<title>&lt;i&gt;"));
  EXPECT_THAT(outputs.svg, Not(HasSubstr("<i>")));
  EXPECT_THAT(outputs.markdown, HasSubstr("| `` FORWARD]0;x\\x07</script><b>\\|` `` |"));
}

TEST(PhasesOutput, NamesInTheVerdictAreHarmless) {
  // The verdict of a log whose gradients are lost names the phase that shows them.
  testing::SummaryText text;
  const std::string name = "BACKWARD_PASS\u202E<img src=x>\u009b31m\x07\r";
  text.phase("FORWARD_PASS", {10, 20, 0});
  for (int i = 0; i < 3; ++i) text.phase(name, {5, 30, 1});
  const Outputs outputs = outputs_of(text.text());
  for (const std::string* form : {&outputs.text, &outputs.markdown, &outputs.json}) {
    for (const char* control : {"\u202E", "\u009b", "\x07", "\r"}) {
      EXPECT_THAT(*form, Not(HasSubstr(control)));
    }
  }
  EXPECT_THAT(outputs.text, HasSubstr("lacks the gradients"));
  // In a code span, where HTML does nothing.
  EXPECT_THAT(outputs.markdown,
              HasSubstr("lacks the gradients: each `BACKWARD_PASS\\u{202E}<img src=x>\\x9b31m\\x07`"));
  EXPECT_THAT(outputs.markdown, Not(HasSubstr(" BACKWARD_PASS\\u{202E}<img")));
}

TEST(PhasesOutput, LongListsAreCutInTheSummaryAndSaid) {
  testing::SummaryText text;
  for (int i = 0; i < 30; ++i) text.phase("STEP_" + std::to_string(i), {1, 1, 0});
  const Profile profile = profile_of(read_phases(text.text()));
  const std::string cut = phases_summary_text(profile, {.top = 5});
  EXPECT_THAT(cut, HasSubstr("... 25 phases before"));
  EXPECT_THAT(cut, HasSubstr("STEP_29"));
  EXPECT_THAT(phases_summary_text(profile, {.top = 0}), HasSubstr("STEP_0 "));
}

TEST(PhasesOutput, TheSeedsColorsFromBelow) {
  constexpr std::array<std::string_view, 5> kColors = {"#cccccc", "#4da6b8", "#e789ab", "#cec0fa", "#e38a42"};
  for (std::size_t i = 0; i < kColors.size(); ++i) {
    EXPECT_EQ(style_of(static_cast<ComponentKind>(i)).color, kColors[i]);
  }
}

/// The bars of a scene: rectangles with the white edge of a segment.
std::vector<ui::RectShape> bars_of(const ui::PlotScene& scene) {
  std::vector<ui::RectShape> bars;
  for (const ui::PlotShape& shape : scene.shapes) {
    const auto* rect = std::get_if<ui::RectShape>(&shape);
    if (rect != nullptr && rect->stroke == "#ffffff") bars.push_back(*rect);
  }
  return bars;
}

TEST(PhasePlot, SegmentsStandOnEachOtherAndShareOneScale) {
  PhasePlot plot;
  plot.panels = {{"a", {{"Other", "#cccccc", 100}, {"Model Parameters", "#4da6b8", 300}}, 400, 1000.0},
                 {"b", {{"Other", "#cccccc", 0}, {"Model Parameters", "#4da6b8", 600}}, 600, 1000.0}};
  const ui::PlotScene scene = layout_plot(plot);
  const std::vector<ui::RectShape> bars = bars_of(scene);
  ASSERT_EQ(bars.size(), 3u);
  EXPECT_EQ(bars[0].fill, "#cccccc");
  EXPECT_EQ(bars[1].fill, "#4da6b8");
  EXPECT_NEAR(bars[1].y + bars[1].height, bars[0].y, 1e-6);
  EXPECT_NEAR(bars[1].height, 3 * bars[0].height, 1e-6);
  EXPECT_NEAR(bars[2].height, 2 * bars[1].height, 1e-6);
  for (const ui::RectShape& bar : bars) EXPECT_GE(bar.y, 0);
}

TEST(PhasePlot, TheLimitIsRedAndDashedInEachPanelAndTheLegend) {
  PhasePlot plot;
  plot.panels = {{"a", {{"Other", "#cccccc", 100}}, 100, 200.0},
                 {"b", {{"Other", "#cccccc", 100}}, 100, 300.0}};
  int dashed = 0;
  double heights[3] = {};
  for (const ui::PlotShape& shape : layout_plot(plot).shapes) {
    const auto* line = std::get_if<ui::LineShape>(&shape);
    if (line == nullptr || line->color != "#ff0000") continue;
    EXPECT_GT(line->dash, 0);
    ASSERT_LT(dashed, 3);
    heights[dashed++] = line->y1;
  }
  EXPECT_EQ(dashed, 3);
  EXPECT_GT(heights[1], heights[2]);  // 200 MB stands below 300 MB
}

TEST(PhasePlot, PngAndSvgHaveTheSizeOfTheScene) {
  PhasePlot plot;
  plot.title = "T";
  plot.panels = {{"a", {{"Other", "#cccccc", 100}}, 100, std::nullopt}};
  const ui::PlotScene scene = layout_plot(plot);
  const std::string png = written([&](Writer& out) { EXPECT_TRUE(ui::write_png(scene, out)); });
  ASSERT_GT(png.size(), 24u);
  EXPECT_EQ(png.substr(1, 3), "PNG");
  const auto number = [&](std::size_t at) {
    return (static_cast<unsigned char>(png[at + 2]) << 8) + static_cast<unsigned char>(png[at + 3]);
  };
  EXPECT_EQ(number(16), static_cast<int>(scene.width));
  EXPECT_EQ(number(20), static_cast<int>(scene.height));
}

TEST(PhasePlot, TooManyRunsForAPng) {
  PhasePlot plot;
  plot.panels.resize(60);
  StringWriter out;
  const Result<void> written_png = ui::write_png(layout_plot(plot), out);
  ASSERT_FALSE(written_png);
  EXPECT_THAT(written_png.error().message, HasSubstr("SVG"));
}

TEST(PhasePlot, LongNamesAreBrokenAndCut) {
  PhasePlot plot;
  plot.panels = {{std::string(4000, 'x'), {{"Other", "#cccccc", 100}}, 100, std::nullopt}};
  const ui::PlotScene scene = layout_plot(plot);
  for (const ui::PlotShape& shape : scene.shapes) {
    if (const auto* text = std::get_if<ui::TextShape>(&shape)) {
      EXPECT_LT(ui::text_width(text->text, text->size, text->bold), 900);
    }
  }
}

TEST(PhasePlot, FormatsByExtension) {
  EXPECT_EQ(ui::plot_format("a/b.png").value(), ui::PlotFormat::kPng);
  EXPECT_EQ(ui::plot_format("b.svg").value(), ui::PlotFormat::kSvg);
  EXPECT_EQ(ui::plot_format("a.d/b").value(), ui::PlotFormat::kPng);
  EXPECT_FALSE(ui::plot_format("b.pdf"));
}

TEST(ClassicReport, NumbersAsPythonWritesThem) {
  EXPECT_EQ(classic_number(1848.92578125), "1,848.93");
  EXPECT_EQ(classic_number(-1234567.891), "-1,234,567.89");
  EXPECT_EQ(classic_number(0), "0.00");
  EXPECT_EQ(classic_number(999.999), "1,000.00");
  EXPECT_EQ(classic_count(969369600), "969,369,600");
}

}  // namespace
}  // namespace ttscope::phases
