#include "emit/fill.hpp"

#include <stdexcept>

#include "emit/templates.hpp"

namespace svc::emit {
namespace {

using Escape = std::string (*)(const std::string&);

std::string filled(const char* template_name, const Data& data, Escape escape) {
    kainjow::mustache::mustache page{std::string(embedded(template_name))};
    if (!page.is_valid()) {
        throw std::logic_error(std::string(template_name) + ": " + page.error_message());
    }
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
