#pragma once

#include "base/writer.h"
#include "fit/report.h"

namespace ttscope::fit {

/// The whole report as markdown, for people and language models.
void write_fit_markdown(const Report& report, Writer& out);

}  // namespace ttscope::fit
