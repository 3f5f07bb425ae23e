#include "emit/fill.hpp"

#include <map>
#include <stdexcept>
#include <string_view>

#include "emit/templates.hpp"

namespace svc::emit {
namespace {

using Escape = std::string (*)(const std::string&);

using Page = kainjow::mustache::mustache;

// Read once a thread: the same few templates are filled for every entity.
Page& page_of(std::string_view template_name) {
    thread_local std::map<std::string_view, Page> pages;
    const auto known = pages.find(template_name);
    if (known != pages.end()) return known->second;
    Page page{std::string(embedded(template_name))};
    if (!page.is_valid()) {
        throw std::logic_error(std::string(template_name) + ": " + page.error_message());
    }
    return pages.emplace(template_name, std::move(page)).first->second;
}

std::string filled(const char* template_name, const Data& data, Escape escape) {
    Page& page = page_of(template_name);
    page.set_custom_escape(escape);
    return page.render(data);
}

}  // namespace

std::string fill(const char* template_name, const Data& data) {
    return filled(template_name, data, [](const std::string& text) { return text; });
}

Json fill_json(const char* template_name, const Data& data) {
    return Json::parse(filled(template_name, data, json_escaped));
}

}  // namespace svc::emit
