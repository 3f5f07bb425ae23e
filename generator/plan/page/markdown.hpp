// CommonMark as HTML that a page may hold: no markup of the text's own, no address but http, https,
// mailto, tel and paths of the app.
#pragma once

#include <string>
#include <string_view>

namespace svc::plan {

std::string markdown_html(std::string_view text);

}  // namespace svc::plan
