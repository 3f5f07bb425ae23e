#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "check/lint/lint.hpp"

namespace svc::check {
namespace {

using model::Entity;
using model::FieldType;

const model::Field* field_of(const Entity& entity, const std::string& name) {
    for (const model::Field& field : entity.fields) {
        if (field.name == name) return &field;
    }
    return nullptr;
}

// True if an index begins with the field. plan/table/tables.cpp makes the indexes.
bool is_indexed(const Entity& entity, const std::string& column) {
    const model::Field* field = field_of(entity, column);
    if (field == nullptr) return true;  // id and owners are; others are not looked up by
    const auto first = [&](const auto& group) { return group.front() == column; };
    const auto leads = [&](const auto& group) { return group.front().name == column; };
    return field->index || field->unique || field->type == FieldType::ref ||
           field->type == FieldType::user ||
           std::any_of(entity.unique.begin(), entity.unique.end(), first) ||
           std::any_of(entity.indexes.begin(), entity.indexes.end(), leads);
}

// The expression that finds a caller's few rows: "email" of `email == user.email`, "org_id" of
// `member(org_id)`, "lower(email)", "watchers" of `user.email in watchers`; no column for other
// tests.
struct LookedUp {
    std::string column;
    std::string shown;            // the column as the test has it
    const char* never = nullptr;  // what to do where no index of the column helps
};

constexpr const char* kPlain = "compare the field itself, and give it \"index\": true";
constexpr const char* kRows = "keep the values as rows of another entity, with an index";

bool is_a_path(const std::string& text) {
    return !text.empty() &&
           text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_.") == std::string::npos;
}

// "mail" of "lower(mail)".
LookedUp side(const std::string& text) {
    if (is_a_path(text)) return {text, text};
    const std::size_t open = text.find('(');
    if (open == std::string::npos || !text.ends_with(')')) return {};
    const std::string inner = text.substr(open + 1, text.size() - open - 2);
    if (!is_a_path(text.substr(0, open)) || !is_a_path(inner)) return {};
    return {inner, text, kPlain};
}

LookedUp looked_up(const Formula& part) {
    if (part.kind != Formula::Kind::holds) return {};
    const std::string& text = part.atom->text;
    for (const char* who : {"id", "email", "org"}) {
        const std::string user = std::string("user.") + who;
        for (const std::string& end : {" == " + user, " == lower(" + user + ")"}) {
            if (text.ends_with(end)) return side(text.substr(0, text.size() - end.size()));
        }
        const std::string begin = "lower(" + user + ") == ";
        if (text.starts_with(begin)) return side(text.substr(begin.size()));
        if (!text.starts_with(user + " in ")) continue;
        const std::string list = text.substr(user.size() + 4);
        return is_a_path(list) ? LookedUp{list, list, kRows} : LookedUp{};
    }
    if (!text.starts_with("member(")) return {};
    const std::string column = text.substr(7, text.find_first_of(",)") - 7);
    return is_a_path(column) ? LookedUp{column, column} : LookedUp{};
}

// Walks "product.mail" to the last field; nothing if the way goes over many rows.
std::optional<std::pair<const Entity*, std::string>> walked_to(const model::Model& model,
                                                               const Entity& from,
                                                               const std::string& path) {
    const Entity* at = &from;
    std::size_t begin = 0;
    for (std::size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', begin)) {
        const std::string name = path.substr(begin, dot - begin);
        const model::Field* link = field_of(*at, name + "_id");
        if (link == nullptr || link->type != FieldType::ref) link = field_of(*at, name);
        if (link == nullptr || link->type != FieldType::ref) return std::nullopt;
        at = &model.entities[link->ref_entity];
        begin = dot + 1;
    }
    return std::pair{at, path.substr(begin)};
}

// The expression that finds a caller's few rows and that no index serves; no column: none.
LookedUp unserved(const model::Model& model, const Entity& entity, const Formula& clause) {
    LookedUp out;
    const std::vector<Formula> parts =
        clause.kind == Formula::Kind::all ? clause.parts : std::vector<Formula>{clause};
    for (const Formula& part : parts) {
        LookedUp one = looked_up(part);
        const auto place = one.column.empty() ? std::nullopt : walked_to(model, entity, one.column);
        if (!place || place->first->external) continue;
        if (one.never == nullptr && is_indexed(*place->first, place->second)) return {};
        out = std::move(one);
    }
    return out;
}

void unserved_policies(const Lint& lint, const Entity& entity) {
    if (entity.external) return;  // an apply creates no indexes in another database
    std::set<std::string> reported;
    for (const model::Grant& grant : entity.access.read) {
        const Formula rows = condition(lint.model, grant.condition, nullptr);
        const std::vector<Formula> clauses =
            rows.kind == Formula::Kind::any ? rows.parts : std::vector<Formula>{rows};
        for (const Formula& clause : clauses) {
            const LookedUp by = unserved(lint.model, entity, clause);
            if (by.column.empty() || !reported.insert(by.shown).second) continue;
            lint.findings.warning(
                "POLICY_WITHOUT_INDEX", grant.path + "/if",
                "This grant finds the caller's rows by \"" + by.shown +
                    "\", and no index supports this, so PostgreSQL reads every row.",
                by.never != nullptr ? by.never : "give the field \"index\": true");
        }
    }
}

void implied_uniques(const Lint& lint, const Entity& entity) {
    for (std::size_t i = 0; i < entity.unique.size(); ++i) {
        const std::set<std::string> mine(entity.unique[i].begin(), entity.unique[i].end());
        std::string why;
        for (const model::Field& field : entity.fields) {
            if (field.unique && mine.count(field.name) > 0) why = "\"" + field.name + "\" alone";
        }
        for (std::size_t k = 0; k < entity.unique.size() && why.empty(); ++k) {
            const std::set<std::string> other(entity.unique[k].begin(), entity.unique[k].end());
            const bool within = std::includes(mine.begin(), mine.end(), other.begin(), other.end());
            if (within && (mine != other ? k != i : k < i)) why = "another group";
        }
        if (why.empty()) continue;
        lint.findings.warning("UNIQUE_IMPLIED", entity.path + "/unique/" + std::to_string(i),
                              "This group is already unique because of " + why + ".",
                              "remove the group");
    }
}

}  // namespace

void lint_tables(const Lint& lint, const Entity& entity) {
    unserved_policies(lint, entity);
    implied_uniques(lint, entity);
}

}  // namespace svc::check
