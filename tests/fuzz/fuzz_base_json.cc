// A JSON document: what it is written as is read as the same, and the walk over its text finds the same end.
#include <string>

#include "base/json_reader.h"
#include "fuzz/fuzz_target.h"

TTSCOPE_FUZZ_TARGET(base_json) {
  using namespace ttscope;
  JsonCursor cursor(text);
  const bool walked = cursor.take_value().has_value() && cursor.is_at_end();
  const auto tree = parse_json_tree(text, "text");
  if (!tree) {
    fuzz::require(!tree.error().message.empty(), "an error says something");
    return;
  }
  fuzz::require(walked, "what is a document can be walked through");
  const std::string dumped = tree->dump();
  const auto again = parse_json_tree(dumped, "dump");
  fuzz::require(again.has_value() && again->dump() == dumped, "a document is read as it was written");
  static_cast<void>(tree->shown());
  static_cast<void>(tree->whole_number());
}
