#include "model/page/page_text.hpp"

#include <algorithm>

#include "model/expr/syntax.hpp"
#include "model/names.hpp"

namespace svc::model {
namespace {

const std::vector<std::string>& caller_attributes() {
    const auto& all = base::Words<CallerAttribute>::kAll;
    static const std::vector<std::string> kNames(all.begin(), all.end());
    return kNames;
}

void bad(const PageScope& scope, const contract::Text& text, const std::string& message,
         const std::string& fix) {
    scope.work.findings.error("BAD_TEMPLATE", text.path, message, fix);
}

void caller(const PageScope& scope, const contract::Text& text, const std::string& name,
            PageText& out) {
    if (contains(caller_attributes(), name)) {
        out.push_back({PageTextPart::Kind::user, name, {}});
        return;
    }
    bad(scope, text, "The caller has no \"" + name + "\".",
        did_you_mean(name, caller_attributes(),
                     "after \"user.\" write one of " + joined(caller_attributes())));
}

void parameter(const PageScope& scope, const contract::Text& text, const std::string& name,
               PageText& out) {
    const std::vector<std::string>& params = scope.page.params;
    if (contains(params, name)) {
        out.push_back({PageTextPart::Kind::route, name, {}});
        return;
    }
    if (scope.work.findings.doubts(contract::child(scope.page.path, "route"))) return;
    bad(scope, text, "The page's route has no parameter \"" + name + "\".",
        did_you_mean(name, params, "add \"/:" + name + "\" to the route"));
}

void placeholder(const PageScope& scope, const contract::Text& text, const std::string& name,
                 PageText& out) {
    if (name.starts_with("user.")) return caller(scope, text, name.substr(5), out);
    if (name.starts_with("route.")) return parameter(scope, text, name.substr(6), out);
    if (scope.any_row) {
        out.push_back({PageTextPart::Kind::row, name, {}});
    } else if (scope.entity) {
        if (auto column = resolve_column(scope.work, *scope.entity, {name, text.path})) {
            out.push_back({PageTextPart::Kind::row, name, std::move(*column)});
        }
    } else {
        bad(scope, text, "{" + name + "} has no meaning here.",
            "use an attribute of the caller, such as user.id, or route.<parameter>");
    }
}

}  // namespace

bool has_placeholders(const contract::Value& value) {
    return value.is(contract::Value::Kind::string) &&
           value.text.find_first_of("{}") != std::string::npos;
}

PageText read_page_text(const PageScope& scope, const contract::Text& text) {
    PageText out;
    const std::string& whole = text.text;
    for (std::size_t at = 0; at < whole.size();) {
        const std::size_t open = whole.find_first_of("{}", at);
        if (open != at) {
            out.push_back({PageTextPart::Kind::text, whole.substr(at, open - at), {}});
        }
        if (open == std::string::npos) break;
        const std::size_t close = whole.find_first_of("{}", open + 1);
        if (whole[open] == '}' || close == std::string::npos || whole[close] == '{') {
            const Written place{whole, text.path};
            bad(scope, {whole, place.place(open + 1)},
                "Column " + std::to_string(place.column(open + 1)) +
                    ": this brace has no matching brace.",
                "write {name} for a value; a text can have no other braces");
            break;
        }
        placeholder(scope, text, whole.substr(open + 1, close - open - 1), out);
        at = close + 1;
    }
    return out;
}

PageValue read_page_value(const PageScope& scope, const contract::Value& value) {
    if (!has_placeholders(value)) return {contract::json_text(value), {}};
    return {"", read_page_text(scope, {value.text, value.path})};
}

std::optional<Column> resolve_column(Work work, std::size_t entity, const contract::Text& name) {
    const Entity& of = work.out.entities[entity];
    const std::vector<std::string> made = builtin_columns(of);
    const bool id = name.text == "id";  // external rows have one too
    if (id || contains(made, name.text)) return Column{0, name.text, name.path};
    if (const auto field = find_field(of, name.text)) return Column{*field, "", name.path};
    std::vector<std::string> known = field_names(of);
    known.insert(known.end(), made.begin(), made.end());
    work.findings.missing("UNKNOWN_FIELD", name.text, name.path,
                          of.name + " has no field \"" + name.text + "\".",
                          did_you_mean(name.text, known));
    return std::nullopt;
}

FieldType column_type(const Model& model, std::size_t entity, const Column& column) {
    if (column.builtin.empty()) return model.entities[entity].fields[column.field].type;
    if (column.builtin.ends_with("_at")) return FieldType::datetime;
    return column.builtin == "user_id" ? FieldType::user : FieldType::uuid;
}

}  // namespace svc::model
