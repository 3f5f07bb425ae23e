#include "data/csv.hpp"

#include "base/json_slice.hpp"
#include "json/lexer.hpp"
#include "json/value.hpp"

namespace svc::data {
namespace {

constexpr std::string_view kJson = "114", kJsonb = "3802";  // as PostgreSQL numbers its types
constexpr std::string_view kEndOfLine = "\r\n";

void append_text(std::string& out, std::string_view text) {
    if (!text.empty() && text.find_first_of("\",\r\n") == std::string_view::npos) {
        out += text;
        return;
    }
    out += '"';
    for (const char c : text) {
        if (c == '"') out += '"';
        out += c;
    }
    out += '"';
}

}  // namespace

Csv::Csv(std::string_view fields) {
    for (const json::Value& field : json::parse(fields).value.items) {
        const json::Value* name = field.find("name");
        const json::Value* type = field.find("type");
        if (name == nullptr || type == nullptr) continue;
        fields_.push_back({name->text, type->text == kJson || type->text == kJsonb});
    }
}

void Csv::header(std::string& out) const {
    for (const Field& field : fields_) {
        if (&field != &fields_.front()) out += ',';
        append_text(out, field.name);
    }
    out += kEndOfLine;
}

void Csv::line(std::string_view row, std::string& out) {
    base::take(row, '{');
    for (const Field& field : fields_) {
        if (&field != &fields_.front()) out += ',';
        base::take_value(row);  // its name
        base::take(row, ':');
        cell(field, base::take_value(row), out);
        base::take(row, ',');
    }
    out += kEndOfLine;
}

void Csv::cell(const Field& field, std::string_view value, std::string& out) {
    if (value == "null") return;
    const bool text = value.starts_with('"') && !field.json;
    if (text && json::Lexer(value).string(text_)) value = text_;
    append_text(out, value);
}

}  // namespace svc::data
