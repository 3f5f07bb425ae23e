#include <set>
#include <string_view>

#include "base/sha256.hpp"
#include "migrate/diff/diff.hpp"
#include "migrate/diff/recreation.hpp"
#include "plan/names.hpp"

namespace svc::migrate {
namespace {

using plan::ident;

Step drop_step(const Key& key, const RecordedObject& recorded, const Schema& schema) {
    const auto found = schema.found.find(key);
    const std::string table = found == schema.found.end() ? "" : found->second.table;
    return {{dropping(key.first), table, "", recorded.drop_sql}, ""};
}

// The same object as before: its record stays.
Step read_again(const Object& object) {
    constexpr std::string_view kCreate = "create ";
    return {{ChangeKind::function, object.table, "",
             "create or replace " + object.create.substr(kCreate.size())},
            object.path};
}

// Rows of a table that was there before. What fills is made after the words.
void fill(const Object& object, const Schema& schema, std::vector<Step>& fills) {
    if (object.fill.empty() || !schema.tables.contains(object.table)) return;
    fills.push_back({{ChangeKind::fill_words, object.table, "", object.fill + "(false)"},
                     object.path,
                     false,
                     object.key});
}

// Rows of existing tables may break an object that is made now.
void ask(const Object& object, const Schema& schema, Diff& out) {
    if (!object.rows_may_be_in_way || !schema.tables.contains(object.table)) return;
    out.claims.push_back({object.table, object.key.second, object.create, object.path});
}

Key key_of(const Replaced& one) {
    return {one.kind, one.kind == ObjectKind::constraint ? one.table + "." + one.name : one.name};
}

// Drops objects that the contract's own objects replace, if they still exist and belong to somebody
// else.
std::vector<Step> drop_replaced(const Schema& schema) {
    std::vector<Step> out;
    for (const Replaced& one : schema.replaced) {
        const Key key = key_of(one);
        if (!schema.found.contains(key) || schema.recorded.contains(key)) continue;
        const std::string sql =
            one.kind == ObjectKind::index
                ? "drop index if exists " + plan::table(one.name)
                : "alter table " + plan::table(one.table) + " drop constraint " + ident(one.name);
        out.push_back({{dropping(one.kind), one.table, "", sql}, ""});
    }
    return out;
}

// Somebody else's objects on the app's tables. A policy there lets rows through that no contract
// speaks of.
void list_leftovers(const std::vector<Object>& objects, const Schema& schema, Diff& out) {
    std::set<Key> ours;
    std::set<std::string> tables;
    for (const Object& object : objects) ours.insert(object.key);
    for (const Replaced& one : schema.replaced) ours.insert(key_of(one));
    for (const auto& [key, recorded] : schema.recorded) {
        ours.insert(key);
        if (key.first == ObjectKind::table) tables.insert(key.second);
    }
    for (const auto& [key, found] : schema.found) {
        const auto& [kind, name] = key;
        const auto leftover = base::read_word<Leftover::Kind>(base::word(kind));
        if (!leftover) continue;
        const std::string bare =
            kind == ObjectKind::constraint ? name.substr(name.find('.') + 1) : name;
        if (ours.contains(key) || !tables.contains(found.table) || bare.starts_with("svc_"))
            continue;
        out.leftovers.push_back({*leftover, found.table, bare});
    }
}

}  // namespace

ObjectChanges diff_objects(const plan::Plan& plan, const Schema& schema,
                           const RecomputedColumns& recomputed, const std::string& data_role,
                           Diff& out) {
    const auto objects = objects_of(plan, data_role);
    Recreation recreation(objects, schema, recomputed, out.findings);
    recreation.run();
    list_leftovers(objects, schema, out);

    ObjectChanges changes;
    changes.drops = drop_replaced(schema);
    for (const auto& table : recreation.regranted()) {
        const bool had_grants = schema.recorded.contains({ObjectKind::table, table});
        if (!had_grants || !schema.tables.contains(table)) continue;
        // Drops run under the names of before.
        auto& steps = schema.called.contains(table) ? changes.before : changes.drops;
        steps.push_back({{ChangeKind::revoke, table, "",
                          "revoke all on " + plan::table(table) + " from public, " + data_role},
                         ""});
    }
    for (const Key& key : recreation.dropped()) {
        changes.drops.push_back(drop_step(key, schema.recorded.at(key), schema));
    }
    std::vector<Step> fills;
    for (const Object& object : objects) {
        if (recreation.reread(object.key)) changes.makes.push_back(read_again(object));
        if (!recreation.recreated(object.key)) continue;
        auto& steps = object.key.first == ObjectKind::sequence ? changes.before : changes.makes;
        steps.push_back({{making(object.key.first), object.table, "", object.create},
                         object.path,
                         object.rows_may_be_in_way,
                         object.key});
        ask(object, schema, out);
        fill(object, schema, fills);
        out.made.push_back({object.key, base::sha256_hex(object.create), object.drop});
    }
    changes.makes.insert(changes.makes.end(), fills.begin(), fills.end());
    out.gone.insert(out.gone.end(), recreation.gone().begin(), recreation.gone().end());
    return changes;
}

}  // namespace svc::migrate
