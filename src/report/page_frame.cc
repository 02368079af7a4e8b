#include "report/page_frame.h"

namespace ttscope::report {

void write_page_block(Writer& out, std::string_view type, std::string_view id, std::string_view content) {
  out.write("<script type=\"");
  out.write(type);
  out.write("\" id=\"");
  out.write(id);
  out.write("\">");
  out.write(content);
  out.write("</script>\n");
}

std::string_view write_page_until(Writer& out, std::string_view page, std::string_view mark, std::size_t at) {
  if (at == std::string_view::npos) return page;
  out.write(page.substr(0, at));
  return page.substr(at + mark.size());
}

}  // namespace ttscope::report
