// Columns of an unmanaged table as fields.
#include <utility>

#include "contract/shape/shape.hpp"
#include "patch/adoption.hpp"
#include "patch/edit.hpp"
#include "patch/items.hpp"

namespace svc::devapi::patch {

using Kind = UnmanagedConstraint::Kind;
using model::FieldType;

namespace {

// The field type for a type of PostgreSQL without numbers; none: no field can have it.
std::optional<FieldType> type_as_field(std::string_view sql) {
    static constexpr std::pair<std::string_view, FieldType> kTypes[] = {
        {"text", FieldType::text},
        {"character varying", FieldType::text},
        {"smallint", FieldType::integer},
        {"integer", FieldType::integer},
        {"bigint", FieldType::integer},
        {"numeric", FieldType::number},
        {"real", FieldType::float_},
        {"double precision", FieldType::float_},
        {"boolean", FieldType::boolean},
        {"date", FieldType::date},
        {"time without time zone", FieldType::time},
        {"timestamp with time zone", FieldType::datetime},
        {"jsonb", FieldType::json},
        {"uuid", FieldType::uuid},
        {"text[]", FieldType::tags},
        {"character varying[]", FieldType::tags}};
    for (const auto& [theirs, ours] : kTypes)
        if (theirs == sql) return ours;
    return std::nullopt;
}

}  // namespace

void NewField::add(std::string_view member, std::string_view json) {
    rest.append(", ").append(json_text(member)).append(": ").append(json);
}

std::string NewField::text() const {
    return "{\"name\": " + json_text(name) + ", \"type\": " + json_text(base::word(*type)) + rest +
           "}";
}

void Adoption::take_type(const UnmanagedColumn& column, NewField& field, Limits& limits) const {
    field.type = type_as_field(column.type);
    const auto numbers = column.type.find('(');
    const std::string in = numbers == std::string::npos
                               ? ""
                               : column.type.substr(numbers + 1, column.type.size() - numbers - 2);
    if (column.type.starts_with("character varying(") && column.type.ends_with(')')) {
        field.type = FieldType::string;
        limits.longest = std::stoul(in);
    }
    if (const auto comma = in.find(',');
        column.type.starts_with("numeric(") && comma != std::string::npos && in[comma + 1] != '-') {
        field.type = FieldType::decimal;
        field.add("scale", in.substr(comma + 1));
    }
    if (!column.values.empty()) {
        field.type = FieldType::enum_;
        limits.values = column.values;
    }
    if (!field.type) refuse_type(column);
}

void Adoption::refuse_type(const UnmanagedColumn& column) const {
    const char* advice = column.type.starts_with("timestamp")    ? ". Change it to timestamptz"
                         : column.type == "json"                 ? ". Change it to jsonb"
                         : column.type.starts_with("character(") ? ". Change it to text"
                                                                 : "";
    refuse_column(column.name,
                  "has the type " + column.type + ", which no field can have" + advice);
}

void Adoption::take_foreign(const UnmanagedColumn& column, NewField& field) const {
    const UnmanagedConstraint* key = on(column.name, Kind::foreign);
    if (!key) return;
    if (field.type != FieldType::uuid || !key->plain || key->target.empty() ||
        key->target_column != "id")
        refuse_column(column.name, "has a foreign key that a ref cannot express: " + key->sql);
    if (key->target != name_ && !find_item(contract_, kEntities, key->target))
        refuse_column(column.name, "refers to \"" + key->target +
                                       "\", which is not an entity. Adopt that table first");
    field.type = FieldType::ref;
    field.add("to", json_text(key->target));
    if (key->on_delete == 'c') field.add("onDelete", "\"cascade\"");
    if (key->on_delete == 'n') field.add("onDelete", "\"null\"");
    if (key->on_delete == 'd')
        refuse_column(column.name,
                      "is set to its default when the other row is deleted, which a ref cannot do");
}

void Adoption::take_checks(const UnmanagedColumn& column, Limits& limits) const {
    for (const UnmanagedConstraint& one : table_.constraints) {
        if (one.kind != Kind::check || one.columns != std::vector{column.name}) continue;
        if (!one.plain || !take_check(one.sql, column.name, column.type, limits))
            refuse_column(column.name, "has the check \"" + one.name +
                                           "\", which a field cannot express: " + one.sql);
    }
}

void Adoption::take_default(const UnmanagedColumn& column, NewField& field) const {
    const std::string& sql = column.default_sql;
    if (sql.empty() || sql.starts_with("NULL::")) return;
    if (!column.default_json.empty()) {
        if (column.default_json != "null") field.add("default", column.default_json);
    } else if (field.type == FieldType::datetime &&
               (sql == "now()" || sql == "CURRENT_TIMESTAMP")) {
        field.add("default", "\"now()\"");
    } else if (field.type == FieldType::date && sql == "CURRENT_DATE") {
        field.add("default", "\"today()\"");
    } else {
        refuse_column(column.name, "has the default " + sql + ", which a contract cannot express");
    }
}

void Adoption::write(const Limits& limits, NewField& field) const {
    const bool text = field.type == FieldType::text || field.type == FieldType::string;
    if (!text && (limits.shortest || limits.longest || limits.pattern))
        refuse_column(field.name, "limits its text, which a field of its type cannot do");
    if (!limits.values.empty()) {
        if (limits.pattern)
            refuse_column(field.name,
                          "has both a list of values and a pattern, which no field can have");
        field.type = FieldType::enum_;
        std::string list;
        for (const std::string& value : limits.values)
            list += (list.empty() ? "" : ", ") + json_text(value);
        return field.add("values", "[" + list + "]");
    }
    if (limits.min) field.add("min", *limits.min);
    if (limits.max) field.add("max", *limits.max);
    if (limits.shortest) field.add("min", std::to_string(*limits.shortest));
    if (limits.longest) field.add("max", std::to_string(*limits.longest));
    if (limits.pattern) field.add("pattern", json_text(*limits.pattern));
}

NewField Adoption::field(const UnmanagedColumn& column) const {
    if (!contract::is_identifier(column.name))
        refuse_column(
            column.name,
            "has a name that no field can have. Rename it: [a-z][a-z0-9_]*, at most 48 bytes");
    if (!column.trouble.empty()) refuse_column(column.name, column.trouble);
    NewField field{column.name, {}, {}};
    Limits limits;
    take_type(column, field, limits);
    take_foreign(column, field);
    take_checks(column, limits);
    write(limits, field);
    if (column.not_null) field.add("required", "true");
    if (const UnmanagedConstraint* unique = on(column.name, Kind::unique); unique && unique->plain)
        field.add("unique", "true");
    take_default(column, field);
    return field;
}

}  // namespace svc::devapi::patch
