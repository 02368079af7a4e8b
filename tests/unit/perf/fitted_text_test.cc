#include <gtest/gtest.h>

#include "base/module_path.h"
#include "perf/analyze/op_groups.h"
#include "perf/read/table_csv.h"
#include "perf/write/advice_text.h"
#include "perf/write/terminal_tables.h"
#include "ui/text.h"

namespace ttscope::perf {
namespace {

TEST(FoldedText, LinesThatFitStayAsTheyAre) {
  EXPECT_EQ(folded_text("a b\n\n  c\n", 10), "a b\n\n  c\n");
  EXPECT_EQ(folded_text(std::string(50, 'x') + "\n", 0), std::string(50, 'x') + "\n");
}

TEST(FoldedText, LongLinesBreakAtBlanksAndHang) {
  EXPECT_EQ(folded_text("  one two three four five six seven\n", 24),
            "  one two three four\n      five six seven\n");
}

TEST(FoldedText, ColorsTakeNoRoomAndAWordIsNeverCut) {
  const std::string colored = "\x1b[38;5;15mone\x1b[0m two three\n";
  EXPECT_EQ(folded_text(colored, 13), colored);
  EXPECT_EQ(folded_text(std::string(40, 'x') + " y\n", 20), std::string(40, 'x') + " y\n");
}

TEST(FittedTable, ColumnsOfHighRankLeaveFirstAndNamesLoseTheirMiddle) {
  const auto lines_of = [](std::size_t width) {
    FittedTable table({{"N"}, {"More", 2}, {"Some", 1}, {"Op", 0, true}}, width, false);
    table.add({{"1", "22222222", "33333333", std::string(30, 'a') + std::string(30, 'b')}});
    StringWriter out;
    table.write(out);
    static_cast<void>(out.finish());
    return out.text();
  };
  EXPECT_NE(lines_of(120).find("22222222"), std::string::npos);
  const std::string narrow = lines_of(24);
  EXPECT_EQ(narrow.find("22222222"), std::string::npos);
  EXPECT_NE(narrow.find("…"), std::string::npos);
  for (const std::size_t width : {24u, 30u, 40u, 60u, 80u, 120u}) {
    const std::string text = lines_of(width);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      EXPECT_LE(ui::display_width(text.substr(at, end - at)), width);
      at = end + 1;
    }
  }
}

TEST(OpLabel, SizesOfMatmulsAreRead) {
  const auto plain = matmul_sizes("MatmulDeviceOperation 32 x 64 x 96");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->op_code, "MatmulDeviceOperation");
  EXPECT_EQ(plain->m, 32);
  EXPECT_EQ(plain->n, 96);
  const auto batched = matmul_sizes("Matmul b={8} x 32 x 64 x 96");
  ASSERT_TRUE(batched);
  EXPECT_EQ(batched->batch, 8);
  for (const char* text :
       {"Matmul", "Matmul 1 x 2", "Matmul 1 x 2 x -3", "Matmul b={} x 1 x 2 x 3", "Conv2d 1 x 2 x 3",
        "Matmul active=2/8 x 1 x 2 x 3", "Matmul 99999999999 x 1 x 1"}) {
    EXPECT_FALSE(matmul_sizes(text)) << text;
  }
}

TEST(OpNames, OnlyEndingsAndScopesAreLeftOut) {
  EXPECT_EQ(readable_label("MatmulDeviceOperation 32 x 64 x 96"), "Matmul 32 x 64 x 96");
  EXPECT_EQ(readable_label("ttnn::prim::UpsampleOperation"), "Upsample");
  EXPECT_EQ(readable_label("DeviceOperation"), "DeviceOperation");
  EXPECT_EQ(readable_label(""), "(unnamed)");
}

TEST(ModuleName, NumbersAndWordsOfBeginningAreLeftOut) {
  EXPECT_EQ(module_name("TTBasicBlock 12 forward started"), "TTBasicBlock *");
  EXPECT_EQ(module_name("layer_3_start"), "layer_*");
  EXPECT_EQ(module_name("start"), "start");
  EXPECT_EQ(module_name(""), "");
}

TEST(ModuleName, LocationsAndAttributesNameLayersWhereTheyDo) {
  EXPECT_EQ(module_of_location("loc(\"model.layers.3.mlp.down_proj/dot.7\")"),
            "model.layers.*.mlp.down_proj");
  EXPECT_EQ(module_of_location("loc(\"p7.w|model.layers.12.self_attn|x\")"), "model.layers.*.self_attn");
  EXPECT_EQ(module_of_location("loc(\"/home/me/test_models.py:59:id(0)\")"), "test_models.py:59");
  EXPECT_EQ(module_of_location("loc(\"/home/me/model.py\":17:14)"), "model.py");
  EXPECT_EQ(module_of_location("loc(\"/code/build/const-eval.mlir.tmp.mlir\":17:14)"), "");
  EXPECT_EQ(module_of_location("loc(\"/root/.pyenv/lib/model.py:59\")"), "model.py:59");
  EXPECT_EQ(module_of_location("loc(\"fast.pyx:3\")"), "");
  EXPECT_EQ(module_of_location("loc(\"v2.1\")"), "");
  EXPECT_EQ(module_of_location("loc(\"dot.7\")"), "");
  EXPECT_EQ(module_of_location("loc(unknown)"), "");
  EXPECT_EQ(module_of_location(""), "");
  EXPECT_EQ(module_in_attributes("{'dim': '3'; 'name': 'model.layers.0.attn'; 'scale': '0.5'}"),
            "model.layers.*.attn");
  EXPECT_EQ(module_in_attributes("{'scale': '0.125'; 'layers': '2'}"), "");
}

TEST(ShapeText, LeadingOnesAreLeftOut) {
  OpTensor tensor;
  EXPECT_EQ(shape_text(tensor), "");
  tensor.padded = {1, 1, 32, 3072};
  EXPECT_EQ(shape_text(tensor), "32x3072");
  tensor.padded = {1, 1, 1, 1};
  EXPECT_EQ(shape_text(tensor), "1");
  tensor.padded = {2, 1, 32, 64};
  EXPECT_EQ(shape_text(tensor), "2x1x32x64");
}

}  // namespace
}  // namespace ttscope::perf
