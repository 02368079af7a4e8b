#include "table/write.h"

#include <gtest/gtest.h>

#include "unit/table/sample_table.h"

namespace ttscope::table {
namespace {

constexpr View kSlowest = {"slowest", "Which ops take longest",
                           "select op, time_us from ops order by 2 desc"};

TEST(Document, MarkdownNamesEveryColumn) {
  EXPECT_EQ(markdown_of(sample_spec(), 3),
            "### `ops`\n\nAn executed op.\n\n"
            "| column | type | unit | meaning |\n|---|---|---|---|\n"
            "| `line` | integer |  | Line of the log (rows stand in this order) |\n"
            "| `op` | text |  | Name of the op |\n"
            "| `time_us` | real | us | How long it took |\n"
            "| `is_cached` | truth |  | Whether the program was there already |\n"
            "| `loc` | text |  | Place in the model \\| \\`file:line\\` |\n"
            "| `size_bytes` | integer | bytes | Size of the result |\n");
}

TEST(Document, AViewShowsItsQuery) {
  EXPECT_EQ(markdown_of(kSlowest, 2),
            "## `slowest`\n\nWhich ops take longest.\n\n"
            "```sql\nselect op, time_us from ops order by 2 desc\n```\n");
}

TEST(Document, TheSchemaIsAligned) {
  EXPECT_EQ(schema_text({sample_spec()}, {kSlowest}),
            "ops: An executed op\n"
            "  line        integer         Line of the log (rows stand in this order)\n"
            "  op          text            Name of the op\n"
            "  time_us     real     us     How long it took\n"
            "  is_cached   truth           Whether the program was there already\n"
            "  loc         text            Place in the model | `file:line`\n"
            "  size_bytes  integer  bytes  Size of the result\n"
            "\nviews:\n"
            "  slowest  Which ops take longest\n");
}

TEST(Document, ADocstringHasTypeAndUnit) {
  EXPECT_EQ(docstring_of(sample_spec().columns[0]), "line (integer): Line of the log");
  EXPECT_EQ(docstring_of(sample_spec().columns[2]), "time_us (real, us): How long it took");
}

}  // namespace
}  // namespace ttscope::table
