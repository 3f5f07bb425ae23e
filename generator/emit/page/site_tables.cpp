// Tables of pages.cpp: how rows of each entity are shown.
#include "emit/page/site_parts.hpp"
#include "emit/text.hpp"

namespace svc::emit {
namespace {

using plan::SiteField;
using plan::SiteTable;

// The enumerator, which is the contract's word where that is no keyword of C++.
std::string field_kind(model::FieldType type) {
    if (type == model::FieldType::float_) return "floating";
    if (type == model::FieldType::enum_) return "enumeration";
    return std::string(base::word(type));
}

std::string field_choices(const SiteField& in, const std::string& of_table, Constants& out) {
    std::vector<std::string> choices;
    choices.reserve(in.choices.size());
    for (const auto& [of, label] : in.choices)
        choices.push_back("{" + cpp_literal(of) + ", " + cpp_literal(label) + "}");
    return out.array("Choice", of_table + pascal_words(in.name) + "Choices", choices);
}

std::string field_members(const SiteField& in, const std::string& of_table, Constants& out) {
    Members members;
    members.text("label", in.label);
    members.add("kind", out.value("FieldKind", field_kind(in.kind)));
    members.flag("made", in.made);
    members.flag("has_default", in.has_default);
    members.text("fallback", in.fallback);
    members.text("min", in.min);
    members.text("max", in.max);
    members.code("choices", field_choices(in, of_table, out));
    members.code("target", entity_address(in.target));
    return members.braced();
}

std::string table_constant(const SiteTable& in, Constants& out) {
    const std::string name = "k" + pascal_words(in.entity);
    std::vector<std::string> fields;
    fields.reserve(in.fields.size());
    for (const SiteField& one : in.fields) fields.push_back(field_members(one, name, out));
    Members members;
    members.add("entity", entity_address(in.entity));
    members.text("singular", in.singular);
    members.text("plural", in.plural);
    members.text("icon", in.icon);
    members.code("fields", out.array("Field", name + "Fields", fields));
    members.code("display", text_parts(in.display, name + "Display", out));
    members.text("list_route", in.list_route);
    members.text("row_route", in.row_route);
    members.text("new_route", in.new_route);
    members.text("edit_route", in.edit_route);
    if (!in.rights.empty()) members.add("rights", sql_literal(in.rights));
    members.text("created_under", in.created_under.ref);
    if (!in.created_under.sql.empty())
        members.add("create_right", sql_literal(in.created_under.sql));
    return out.object("Table", name + "Table", members);
}

}  // namespace

std::string site_tables(const plan::Plan& plan, Constants& out) {
    std::vector<std::string> names;
    for (const SiteTable& one : plan.site.tables) {
        out.heading("Table " + one.entity);
        names.push_back(table_constant(one, out));
    }
    if (names.empty()) return {};
    out.heading("All tables");
    return out.row("Table", "kTables", names);
}

}  // namespace svc::emit
