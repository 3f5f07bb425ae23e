// A template of templates/ and its data, as text.
#pragma once

#include <string>

#include "emit/data.hpp"
#include "emit/json_page.hpp"

namespace svc::emit {

// Texts go in as they are: whoever makes the data escapes them.
std::string fill(const char* template_name, const Data& data);

// Of a template that is JSON; texts go in as those between its quotes.
Json fill_json(const char* template_name, const Data& data);

}  // namespace svc::emit
