// The shape of a page, as text to compare: its tags, and the places where there is text between
// them. A page of the same shape need not be opened in a browser again.
#pragma once

#include <string>

namespace svc::devapi::verification {

// Without what differs each time a page is opened (nonces, cursors), and without the content of
// texts, ids and numbers. The props of components stay as they are.
std::string page_shape(const std::string& html);

}  // namespace svc::devapi::verification
