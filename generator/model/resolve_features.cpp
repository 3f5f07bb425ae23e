// search, external, softDelete, audit.
#include <algorithm>
#include <map>
#include <string_view>

#include "base/ascii.hpp"
#include "contract/shape.hpp"
#include "model/names.hpp"
#include "model/page/page_text.hpp"
#include "model/parts.hpp"
#include "model/values.hpp"

namespace svc::model {
namespace {

constexpr std::size_t kWeightClasses = 4;  // PostgreSQL has A, B, C and D
constexpr std::size_t kMaxSqlName = 63;

void bad_search(Work work, const std::string& path, const std::string& message,
                const std::string& fix) {
    work.findings.error("BAD_SEARCH", path, message, fix);
}

void bad_external(Work work, const std::string& path, const std::string& message,
                  const std::string& fix) {
    work.findings.error("BAD_EXTERNAL", path, message, fix);
}

// A positive number of few digits: 3, 0.5.
bool is_weight(const std::string& text) {
    return !text.empty() && text.size() <= 8 &&
           text.find_first_not_of("0123456789.") == std::string::npos && is_decimal(text) &&
           text.find_first_of("123456789") != std::string::npos;
}

bool is_searchable(const Field& field) {
    return is_text(field.type) || field.type == FieldType::enum_ ||
           field.type == FieldType::sequence;
}

void check_searched(Work work, const Field& field, const std::string& path) {
    if (field.broken) return;
    if (!is_searchable(field) || field.computed) {
        bad_search(work, path,
                   field.computed ? "A computed field cannot be searched."
                                  : "\"" + field.name + "\" cannot be searched: it holds no text.",
                   field.computed ? "search the fields from which it is computed"
                                  : "name string, text, enum or sequence fields");
    }
}

// The greatest weight is class A. Fields that not everybody may read share no class with others,
// because a search is restricted to classes. False: PostgreSQL has too few classes.
bool classes(const Entity& entity, std::vector<SearchField>& fields) {
    const auto key = [&](const SearchField& field) {
        return std::pair(-std::stod(field.weight), entity.fields[field.field].read);
    };
    std::map<decltype(key(fields.front())), char> letters;
    for (const SearchField& field : fields) letters[key(field)] = 'A';
    char next = 'A';
    for (auto& [unused, letter] : letters) letter = next++;
    for (SearchField& field : fields) field.weight_class = letters[key(field)];
    return letters.size() <= kWeightClasses;
}

void search(Work work, std::size_t entity, const contract::Texts& in) {
    std::vector<SearchField>& out = work.out.entities[entity].search;
    for (const contract::Text& text : in) {
        const std::size_t caret = text.text.find('^');
        const contract::Text name{text.text.substr(0, caret), text.path};
        const auto field = resolve_own_field(work, entity, name);
        if (!field) continue;
        SearchField made;
        made.field = *field;
        if (caret != std::string::npos) made.weight = text.text.substr(caret + 1);
        if (!is_weight(made.weight)) {
            bad_search(work, text.path, "\"" + made.weight + "\" is not a weight.",
                       "write a number above 0: \"title^3\"");
            continue;
        }
        check_searched(work, work.out.entities[entity].fields[*field], text.path);
        const bool again = std::any_of(out.begin(), out.end(), [&](const SearchField& other) {
            return other.field == made.field;
        });
        if (again) {
            bad_search(work, text.path, "\"" + name.text + "\" is listed twice.", "remove it");
        } else {
            out.push_back(std::move(made));
        }
    }
    if (!classes(work.out.entities[entity], out)) {
        bad_search(
            work, in.front().path,
            "These fields have more than four different combinations of weight and \"read\" list.",
            "give some fields the same weight: PostgreSQL has four ranks");
    }
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

void check_refs(Work work) {
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

void soft_delete(Work work, const contract::SoftDelete& in, Entity& out) {
    out.soft_delete = in.on;
    if (!in.keep) return;
    const std::optional<std::uint32_t> seconds = seconds_of(in.keep->text);
    if (seconds && *seconds > 0) {
        out.keep_deleted = *seconds;
        return;
    }
    work.findings.error("BAD_DURATION", in.keep->path, "\"keep\" must be longer than 0.",
                        "write a whole number and s, m, h or d: \"30d\"");
}

// A field, or text with fields in braces.
void display(Work work, std::size_t entity, const contract::Text& in) {
    Entity& out = work.out.entities[entity];
    if (in.text.find_first_of("{}") == std::string::npos) {
        if (auto column = resolve_column(work, entity, in))
            out.display = {{PageTextPart::Kind::row, in.text, std::move(*column)}};
        return;
    }
    const Page nowhere;
    out.display = read_page_text({work, nowhere, entity, false}, in);
    for (const PageTextPart& part : out.display) {
        if (part.kind != PageTextPart::Kind::user && part.kind != PageTextPart::Kind::route)
            continue;
        work.findings.error("BAD_TEMPLATE", in.path,
                            "A row's name is made of its own fields alone.",
                            "use fields of " + out.name + ": \"{" +
                                (out.fields.empty() ? "id" : out.fields.front().name) + "}\"");
    }
}

}  // namespace

void resolve_features(Work work) {
    for (std::size_t e = 0; e < work.in.entities.size(); ++e) {
        const contract::Entity& in = work.in.entities[e];
        Entity& out = work.out.entities[e];
        soft_delete(work, in.soft_delete, out);
        out.audit = in.audit;
        if (in.search && !in.search->empty()) search(work, e, *in.search);
        if (in.display) display(work, e, *in.display);
        if (!in.external) continue;
        out.external = address(work, *in.external);
        check_external(work, in);
        check_seeds(work, e);
    }
    check_refs(work);
}

}  // namespace svc::model
