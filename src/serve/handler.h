#pragma once

#include "serve/http_message.h"
#include "serve/library.h"

namespace ttscope::serve {

/// Answers a request from what is known at this moment: the whole interface of docs/serve_api.md. It reads no
/// file, takes no time (what a window of a timeline costs aside) and changes nothing; files are named for the
/// caller to send, and only names that the library holds.
Response handle(const Request& request, const Library& library);

/// An answer of plain text with all security headers, for what goes wrong beyond handle().
Response plain_answer(int status, std::string_view text);
/// The same as `{"error": text}`, which the page shows.
Response error_answer(int status, std::string_view text);
/// The job of an upload that has arrived.
Response job_answer(const Job& job);

}  // namespace ttscope::serve
