// The script of pages (web/app), as the build has made it.
#pragma once

#include <string_view>

namespace svc::page::script {

// The text of this embedded file, such as app.js; empty: no such file.
std::string_view embedded(std::string_view file_name);

}  // namespace svc::page::script
