// Fills a template of templates/ with its data.
#pragma once

#include <string>

#include "emit/data/data.hpp"
#include "emit/json_page.hpp"

namespace svc::emit {

// Texts are inserted as they are: the data must be escaped already.
std::string fill(const char* template_name, const Data& data);

// Fills a template that is JSON; texts are escaped for its quotes.
Json fill_json(const char* template_name, const Data& data);

}  // namespace svc::emit
