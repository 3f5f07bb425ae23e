#include "page/form/control.hpp"

namespace svc::page {
namespace {

void write_option(Html& out, const Input& input, std::string_view value, std::string_view label) {
    out << "<option";
    out.attribute("value", value);
    if (value == input.value) out << " selected";
    out << ">" << label << "</option>";
}

}  // namespace

std::string id_of(const Input& input) { return "f-" + std::string(input.column.name); }

void write_common(Html& out, const Input& input) {
    out.attribute("id", id_of(input)).attribute("name", "f." + std::string(input.column.name));
    if (input.required) out << " required aria-required=\"true\"";
    if (input.problem.empty()) return;
    out << " aria-invalid=\"true\"";
    out.attribute("aria-describedby", id_of(input) + "-problem");
}

void write_select(Html& out, const Input& input) {
    out << "<select";
    write_common(out, input);
    if (input.finder && input.finder->found > 0) out << " autofocus";
    out << ">";
    if (!input.required || input.value.empty()) write_option(out, input, "", "—");
    for (const Choice& choice : input.field.choices)
        write_option(out, input, choice.value, choice.label);
    if (input.options)
        for (const auto& [id, name] : *input.options) write_option(out, input, id, name);
    out << "</select>";
}

}  // namespace svc::page
