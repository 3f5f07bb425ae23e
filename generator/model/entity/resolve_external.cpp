// Entities whose rows are in another database: the address of the table, and what such an entity
// cannot have.
#include <algorithm>
#include <string_view>

#include "base/ascii.hpp"
#include "contract/shape/shape.hpp"
#include "model/names.hpp"
#include "model/parts.hpp"
#include "model/values.hpp"

namespace svc::model {
namespace {

constexpr std::size_t kMaxSqlName = 63;

void bad_external(Work work, const std::string& path, const std::string& message,
                  const std::string& fix) {
    work.findings.error("BAD_EXTERNAL", path, message, fix);
}

bool is_sql_name(std::string_view name) {
    const auto letter = [](char c) { return base::is_letter(c) || c == '_'; };
    return !name.empty() && name.size() <= kMaxSqlName && letter(name.front()) &&
           std::all_of(name.begin(), name.end(),
                       [&](char c) { return letter(c) || base::is_digit(c); });
}

External address(Work work, const contract::External& in) {
    External out;
    out.connection = in.connection.text.substr(contract::kSecretPrefix.size());
    const std::size_t dot = in.table.text.find('.');
    out.schema = in.table.text.substr(0, dot);
    out.table = dot == std::string::npos ? "" : in.table.text.substr(dot + 1);
    out.key = in.key.text;
    if (!is_sql_name(out.schema) || !is_sql_name(out.table)) {
        bad_external(work, in.table.path,
                     "\"" + in.table.text + "\" is not a table name with its schema.",
                     "write <schema>.<table>: \"public.legacy_order\"");
    }
    if (!is_sql_name(out.key)) {
        bad_external(work, in.key.path, "\"" + out.key + "\" is not a valid column name.",
                     "name the column that identifies a row: \"id\"");
    }
    return out;
}

// Checks for features that only a table of svc can have.
void check_external_fields(Work work, const contract::Entity& in) {
    for (const contract::Field& field : in.fields) {
        for (const std::string& option : field.given) {
            const bool ours = option == "computed" || option == "unique" || option == "index" ||
                              option == "renamedFrom";
            if (!ours) continue;
            bad_external(
                work, contract::child(field.path, option),
                "\"" + option +
                    "\" does not work on an external entity: the other database owns the table.",
                "remove it");
        }
        if (field.read && field.name.text == in.external->key.text)
            bad_external(work, contract::child(field.path, "read"),
                         "The key is the row's id, so everyone who reads a row reads the key.",
                         "remove \"read\", or let fewer callers read the entity");
        if (field.type.text != "sequence") continue;
        bad_external(
            work, field.type.path,
            "An external entity cannot have a sequence: the other database writes its rows.",
            "make it a string that the other database sets");
    }
}

void check_external(Work work, const contract::Entity& in) {
    const auto refuse = [&](bool given, const char* key) {
        if (!given) return;
        bad_external(work, contract::name_of(contract::child(in.path, key)),
                     std::string("\"") + key + "\" does not work on an external entity.",
                     "remove it");
    };
    refuse(in.lifecycle.has_value(), "lifecycle");
    refuse(!in.unique.empty(), "unique");
    refuse(!in.indexes.empty(), "indexes");
    refuse(in.search && !in.search->empty(), "search");
    refuse(in.soft_delete.on, "softDelete");
    refuse(in.audit, "audit");
    refuse(in.renamed_from.has_value(), "renamedFrom");
    check_external_fields(work, in);
}

void check_seeds(Work work, std::size_t entity) {
    for (const auto& [index, rows] : work.out.seeds.rows) {
        if (index != entity || rows.empty()) continue;
        bad_external(work,
                     contract::name_of(contract::child("/seeds", work.out.entities[entity].name)),
                     "An external entity cannot have seeds.", "remove these rows");
    }
}

}  // namespace

void resolve_external(Work work, std::size_t entity) {
    const contract::Entity& in = work.in.entities[entity];
    work.out.entities[entity].external = address(work, *in.external);
    check_external(work, in);
    check_seeds(work, entity);
}

void check_external_refs(Work work) {
    for (std::size_t e = 0; e < work.in.entities.size(); ++e) {
        for (const contract::Field& field : work.in.entities[e].fields) {
            if (!field.to) continue;
            const auto target = find_entity(work.out, field.to->text);
            if (!target || !work.out.entities[*target].external) continue;
            bad_external(
                work, field.to->path,
                "\"" + field.to->text + "\" is an external entity, so a ref cannot point to it.",
                "keep the row's key in a string or uuid field");
        }
    }
}

}  // namespace svc::model
