#include "migrate/diff/table_renames.hpp"

#include <algorithm>

#include "base/sha256.hpp"
#include "migrate/diff/renames.hpp"

namespace svc::migrate {
namespace {

// Foreign keys follow the table that they name, and what was renamed is the plan's own now. So the
// plan's text is recorded as that of what is there, if the former text was.
void follow_texts(const std::vector<Object>& objects, const std::map<Key, std::string>& texts,
                  TableRenames& out) {
    for (const Object& object : objects) {
        const auto recorded = out.schema.recorded.find(object.key);
        if (recorded == out.schema.recorded.end()) continue;
        const auto own = texts.find(object.key);
        std::string former = own == texts.end() ? object.create : own->second;
        if (object.key.first == ObjectKind::constraint) refer_to_former(former, out.schema);
        if (former == object.create || recorded->second.hash != base::sha256_hex(former)) continue;
        recorded->second.hash = base::sha256_hex(object.create);
        std::erase_if(out.made, [&](const MadeObject& one) { return one.key == object.key; });
        out.made.push_back({object.key, recorded->second.hash, object.drop});
    }
}

// Tables that no contract made are somebody's, and an entity cannot take the table of another one.
std::vector<Named> wanted_tables(const plan::Plan& plan, const Schema& schema) {
    std::vector<plan::Table> ours;
    std::ranges::copy_if(plan.tables, std::back_inserter(ours),
                         [](const plan::Table& table) { return !table.external; });
    std::vector<Named> out = names_of(ours);
    for (Named& one : out) {
        const bool taken = std::ranges::find(plan.tables, one.renamed_from, &plan::Table::name) !=
                           plan.tables.end();
        if (taken || !made_by_contract(schema, one.renamed_from)) one.renamed_from.clear();
    }
    return out;
}

// The present name of the table that had this name before, where it is another one; empty: none.
std::string had_by(const Schema& schema, const std::string& name, const std::string& but) {
    for (const auto& [present, names] : schema.former)
        if (present != but && names.contains(name)) return present;
    return {};
}

// Other environments, deployments and snapshots may have rows under a former name. Under a contract
// that gives it to another entity they would be that entity's, with its rights.
void refuse_former_names(const plan::Plan& plan, const Schema& schema, const Renames& found,
                         diag::Findings& findings) {
    std::map<std::string, std::string> from;
    for (const auto& [was, becomes] : found.moves) from[becomes] = was;
    for (const plan::Table& table : plan.tables) {
        if (table.external || schema.tables.contains(table.name)) continue;
        const auto moved = from.find(table.name);
        const std::string own = moved == from.end() ? "" : moved->second;
        const std::string other = had_by(schema, table.name, own);
        if (other.empty()) continue;
        findings.error("FORMER_NAME", table.path,
                       "\"" + table.name + "\" was the name of \"" + other +
                           "\" before. Deployments and snapshots of that time have its rows under "
                           "this name, and they would become those of another entity.",
                       "choose another name, or write \"renamedFrom\": \"" + other +
                           "\" if it is the same entity");
    }
}

const plan::Table& table_of(const plan::Plan& plan, const std::string& name) {
    return *std::ranges::find(plan.tables, name, &plan::Table::name);
}

}  // namespace

std::optional<TableRenames> table_renames(const plan::Plan& plan, const Schema& schema,
                                          const std::vector<Object>& objects,
                                          diag::Findings& findings) {
    std::set<std::string> existing;
    for (const auto& [name, state] : schema.tables) existing.insert(name);
    const Renames found = renames(wanted_tables(plan, schema), existing);
    for (const auto& [name, from] : found.stuck) {
        findings.warning("RENAME_SKIPPED", table_of(plan, name).path,
                         "The database has both tables " + from + " and " + name +
                             ", so no table is renamed: " + from +
                             " keeps its rows, and svc no longer manages it.",
                         "Remove renamedFrom, or copy the rows with svc sql.");
    }
    refuse_former_names(plan, schema, found, findings);
    if (found.moves.empty()) return std::nullopt;
    TableRenames out;
    out.schema = schema;
    std::map<Key, std::string> texts;
    for (const auto& [from, to] : found.moves)
        rename_table(table_of(plan, to), from, objects, texts, out);
    follow_texts(objects, texts, out);
    return out;
}

}  // namespace svc::migrate
