// One input of a form.
#include "page/form/control.hpp"
#include "page/value/amount.hpp"
#include "page/value/when.hpp"

namespace svc::page {
namespace {

void write_text(Html& out, const Input& input, std::string_view type, std::string_view mode) {
    out << "<input";
    out.attribute("type", type);
    if (!mode.empty()) out.attribute("inputmode", mode);
    if (input.column.max_length > 0)
        out.attribute("maxlength", std::to_string(input.column.max_length));
    write_common(out, input);
    out.attribute("value", input.value) << ">";
}

void write_area(Html& out, const Input& input) {
    out << "<textarea rows=\"4\"";
    write_common(out, input);
    // The first line break after the tag does not belong to the text.
    out << ">\n" << input.value << "</textarea>";
}

void write_check(Html& out, const Input& input) {
    out << "<label class=\"check\"><input type=\"checkbox\" value=\"true\"";
    write_common(out, input);
    if (input.value == "true") out << " checked";
    out << "><span>" << input.field.label << "</span></label><input type=\"hidden\" value=\"1\"";
    out.attribute("name", "has." + std::string(input.column.name)) << ">";
}

void write_remove(Html& out, const Input& input) {
    out << "<label class=\"check\"><input type=\"checkbox\" value=\"true\"";
    out.attribute("name", "x." + std::string(input.column.name))
        << "><span>Remove this file</span></label>";
}

// The file itself cannot stand in the input again: what was taken is named beside it.
void write_file(Html& out, const Visit& visit, const Input& input) {
    const bool stands = input.file && !input.file->address.empty();
    const std::string name(input.column.name);
    const std::string_view sent = visit.form.text("f." + name);
    const std::string_view kept_name = sent.empty() ? visit.form.text("n." + name) : sent;
    if (!input.kept.empty()) {
        out << "<p class=\"kept\"><bdi>" << shortened(kept_name, 120)
            << "</bdi> is uploaded, and saved with the form.</p>";
    } else if (stands) {
        show_file(out, *input.file);
        if (!input.required) write_remove(out, input);
    }
    out << "<input type=\"file\"";
    const std::string accepted = accepted_files(visit.app());
    if (!accepted.empty()) out.attribute("accept", accepted);
    write_common(out, input);
    out << ">";
    if (!input.kept.empty()) {
        out << "<input type=\"hidden\"";
        out.attribute("name", "k." + name).attribute("value", input.kept)
            << "><input type=\"hidden\"";
        out.attribute("name", "n." + name).attribute("value", kept_name) << ">";
    }
}

std::string hint_of(const Visit& visit, const Input& input) {
    switch (input.field.kind) {
        case FieldKind::tags:
            return "Separate several with commas.";
        case FieldKind::json:
            return "JSON.";
        case FieldKind::file:
            return file_hint(visit.app());
        case FieldKind::money:
            return "In " + std::string(visit.site().currency) + ".";
        default:
            return {};
    }
}

void write_control(Html& out, const Visit& visit, const Input& input) {
    switch (input.field.kind) {
        case FieldKind::file:
            return write_file(out, visit, input);
        case FieldKind::text:
        case FieldKind::json:
            return write_area(out, input);
        case FieldKind::ref:
            return input.finder ? write_finder(out, input) : write_select(out, input);
        case FieldKind::enumeration:
        case FieldKind::user:
            return write_select(out, input);
        case FieldKind::integer:
            return write_text(out, input, "text", "numeric");
        case FieldKind::number:
        case FieldKind::decimal:
        case FieldKind::floating:
        case FieldKind::money:
            return write_text(out, input, "text", "decimal");
        case FieldKind::date:
            return write_text(out, input, "date", "");
        case FieldKind::time:
            return write_text(out, input, "time", "");
        case FieldKind::datetime:
            return write_text(out, input, "datetime-local", "");
        case FieldKind::email:
            return write_text(out, input, "email", "");
        case FieldKind::url:
            return write_text(out, input, "url", "");
        case FieldKind::phone:
            return write_text(out, input, "tel", "");
        default:
            return write_text(out, input, "text", "");
    }
}

std::string joined_tags(const Json& value) {
    std::string out;
    for (const Json& item : value.items) out += (out.empty() ? "" : ", ") + plain(&item);
    return out;
}

}  // namespace

void write_input(Html& out, const Visit& visit, const Input& input) {
    out << "<div class=\"field"
        << (input.problem.empty() ? std::string_view() : std::string_view(" wrong")) << "\">";
    if (input.field.kind == FieldKind::boolean) {
        write_check(out, input);
    } else {
        out << "<label";
        out.attribute("for", id_of(input)) << ">" << input.field.label;
        if (!input.required) out << " <span class=\"optional\">optional</span>";
        out << "</label>";
        write_control(out, visit, input);
    }
    const std::string hint = hint_of(visit, input);
    if (!input.problem.empty()) {
        out << "<p class=\"problem\"";
        out.attribute("id", id_of(input) + "-problem") << ">" << input.problem << "</p>";
    } else if (!hint.empty()) {
        out << "<p class=\"hint\">" << hint << "</p>";
    }
    out << "</div>";
}

std::string input_value(const Visit& visit, const Field& field, const Json* value) {
    if (!value || value->is(Json::Kind::null)) return {};
    if (field.kind == FieldKind::json) return value->shown();
    if (field.kind == FieldKind::tags) return joined_tags(*value);
    std::string text = plain(value);
    if (field.kind == FieldKind::money) return as_amount(text, visit.site().digits);
    if (field.kind == FieldKind::datetime) return moment_input(text, visit.in.zone.get());
    if (field.kind == FieldKind::time) return text.substr(0, text.find('+'));
    return text;
}

}  // namespace svc::page
