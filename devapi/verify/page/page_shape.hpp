// What a browser has to do with a page, as text to compare: its tags, and where there is text
// between them.
#pragma once

#include <string>

namespace svc::devapi::verification {

// Without what differs from one opening to the next, and what is only said otherwise: ids, numbers,
// moments, cursors, nonces, the words of texts. What components get stays as it is.
std::string page_shape(const std::string& html);

}  // namespace svc::devapi::verification
