#pragma once

#include "serve/library.h"

namespace ttscope::serve {

/// Answers a request from what is known at this moment: the whole interface of docs/serve_api.md. It reads no
/// file, takes no time (what a window of a timeline costs aside) and changes nothing; files are named for the
/// caller to send, and only names that the library holds.
Response handle(const Request& request, const Library& library);

/// Whether a request comes from somebody who was told an address: of the library or of the page of a report.
bool knows_an_address(const Request& request, const Library& library);

/// Whether a body follows the head of a request.
bool has_body(const Request& request);

/// An answer of plain text with all security headers, for what goes wrong beyond handle().
Response plain_answer(int status, std::string_view text);
/// The same as `{"error": text}`, which the page shows.
Response error_answer(int status, std::string_view text);
/// The job of an upload that has arrived.
Response job_answer(const Job& job);

}  // namespace ttscope::serve
