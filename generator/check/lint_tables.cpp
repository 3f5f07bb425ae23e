#include <algorithm>
#include <set>

#include "check/lint.hpp"

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

// Does an index begin with it? plan/tables.cpp makes them.
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

// "email" of `email == user.email`; empty for other tests.
std::string looked_up(const Formula& part) {
    if (part.kind != Formula::Kind::holds) return {};
    for (const char* who : {" == user.id", " == user.email", " == user.org"}) {
        const std::string& text = part.atom->text;
        if (text.ends_with(who)) return text.substr(0, text.size() - std::string(who).size());
    }
    return {};
}

// A column by which a caller's few rows would be found, where no index leads to
// them; empty: none.
std::string unserved(const Entity& entity, const Formula& clause) {
    std::string out;
    const std::vector<Formula> parts =
        clause.kind == Formula::Kind::all ? clause.parts : std::vector<Formula>{clause};
    for (const Formula& part : parts) {
        const std::string column = looked_up(part);
        if (column.empty() ||
            (field_of(entity, column) == nullptr && column.find('.') != std::string::npos)) {
            continue;
        }
        if (is_indexed(entity, column)) return {};
        out = column;
    }
    return out;
}

void unserved_policies(const Lint& lint, const Entity& entity) {
    if (entity.external) return;  // indexes there are not ours to make
    std::set<std::string> told;
    for (const model::Grant& grant : entity.access.read) {
        const Formula rows = condition(lint.model, grant.condition, nullptr);
        const std::vector<Formula> clauses =
            rows.kind == Formula::Kind::any ? rows.parts : std::vector<Formula>{rows};
        for (const Formula& clause : clauses) {
            const std::string column = unserved(entity, clause);
            if (column.empty() || !told.insert(column).second) continue;
            lint.findings.warning("POLICY_WITHOUT_INDEX", grant.path + "/if",
                                  "A caller's own rows are found by \"" + column +
                                      "\", and no index serves that: every row is read.",
                                  "give the field \"index\": true");
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
                              "These are unique already, by " + why + ".", "take the group out");
    }
}

}  // namespace

void lint_tables(const Lint& lint, const Entity& entity) {
    unserved_policies(lint, entity);
    implied_uniques(lint, entity);
}

}  // namespace svc::check
