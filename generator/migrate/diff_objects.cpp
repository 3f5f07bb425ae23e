#include <algorithm>
#include <set>
#include <string_view>

#include "base/sha256.hpp"
#include "migrate/diff.hpp"
#include "migrate/holes.hpp"
#include "plan/names.hpp"

namespace svc::migrate {
namespace {

using plan::ident;

constexpr std::string_view kHole = ":data_role";

bool is_routine(const std::string& kind) {
    return kind == "function" || kind == "trigger" || kind == "policy" || kind == "view";
}

bool is_object(const std::string& kind) {
    return is_routine(kind) || kind == "grant" || kind == "sequence" || kind == "constraint" ||
           kind == "index" || kind == "words" || kind == "foreign";
}

void add_constraints(const plan::Plan& plan, bool foreign, std::vector<Object>& out) {
    for (const auto& table : plan.tables) {
        for (const auto& object : table.constraints) {
            const bool is_foreign = object.sql.find("foreign key") != std::string::npos;
            if (is_foreign != foreign) continue;
            out.push_back({{"constraint", table.name + "." + object.name},
                           table.name,
                           object.sql,
                           "alter table if exists " + plan::table(table.name) +
                               " drop constraint if exists " + ident(object.name),
                           object.path,
                           true});
        }
    }
}

void add_indexes(const plan::Plan& plan, std::vector<Object>& out) {
    for (const auto& table : plan.tables) {
        for (const auto& object : table.indexes) {
            out.push_back({{"index", object.name},
                           table.name,
                           object.sql,
                           "drop index if exists " + plan::table(object.name),
                           object.path,
                           object.sql.starts_with("create unique")});
        }
    }
}

void add_routines(const plan::Plan& plan, bool sequences, std::vector<Object>& out) {
    for (const auto& routine : plan.routines) {
        if ((routine.kind == "sequence") != sequences) continue;
        std::string path = routine.path;
        for (const auto& table : plan.tables) {
            if (table.name == routine.table) path = table.path;
        }
        out.push_back({{routine.kind, routine.name},
                       routine.table,
                       routine.create,
                       routine.drop,
                       path,
                       false,
                       routine.fill});
    }
}

// Which objects are made in this migration, and which recorded ones go.
class Remaking {
  public:
    Remaking(const std::vector<Object>& objects, const Schema& schema, const Disturbed& disturbed,
             diag::Findings& findings)
        : objects_(objects), schema_(schema), disturbed_(disturbed), findings_(findings) {}

    void run() {
        for (const Object& object : objects_) wanted_.insert(object.key);
        for (const auto& [key, recorded] : schema_.recorded) {
            if (is_object(key.first) && !wanted_.contains(key)) gone_.insert(key);
        }
        for (const Object& object : objects_) {
            if (changed(object) || depends_on_remade(object)) remade_.insert(object.key);
        }
        // Rights of a table are taken back together, so they are given together.
        for (const Object& object : objects_) {
            if (object.key.first == "grant" && !object.table.empty() &&
                remade_.contains(object.key)) {
                regranted_.insert(object.table);
            }
        }
        for (const Object& object : objects_) {
            if (object.key.first == "grant" && regranted_.contains(object.table)) {
                remade_.insert(object.key);
            }
        }
        for (const Object& object : objects_) {
            if (!remade_.contains(object.key) && reads_disturbed(object)) {
                reread_.insert(object.key);
            }
        }
    }

    bool remade(const Key& key) const { return remade_.contains(key); }
    bool reread(const Key& key) const { return reread_.contains(key); }
    const std::set<Key>& gone() const { return gone_; }
    const std::set<std::string>& regranted() const { return regranted_; }

    // What was made last goes first: it may depend on what was made before it.
    std::vector<Key> dropped() const {
        std::vector<Key> keys;
        for (const auto& [key, recorded] : schema_.recorded) {
            const bool goes = remade_.contains(key) || gone_.contains(key);
            if (goes && !recorded.drop_sql.empty()) keys.push_back(key);
        }
        std::sort(keys.begin(), keys.end(), [this](const Key& a, const Key& b) {
            return schema_.recorded.at(a).place > schema_.recorded.at(b).place;
        });
        return keys;
    }

  private:
    bool changed(const Object& object) const {
        const bool new_table = !object.table.empty() && !schema_.tables.contains(object.table);
        const auto recorded = schema_.recorded.find(object.key);
        return new_table || recorded == schema_.recorded.end() ||
               recorded->second.hash != base::sha256_hex(object.create) || disturbed(object) ||
               by_hand(object);
    }

    // Rights are one fact of a table, however many grants make them.
    bool by_hand(const Object& object) const {
        if (schema_.later.contains(object.key)) return false;
        const Key found = object.key.first == "grant" ? Key{"rights", object.table} : object.key;
        if (!changed_by_hand(schema_, object.key, found)) return false;
        const bool there = schema_.found.contains(found);
        findings_.warning("CHANGED_BY_HAND", object.path,
                          "The " + object.key.first + " " + object.key.second + " was " +
                              (there ? "changed" : "dropped") +
                              " in the database by hand; it is made anew.");
        return true;
    }

    // Words are made of values, by a function: nothing that PostgreSQL would tell.
    bool disturbed(const Object& object) const {
        const bool words = object.key.first == "words";
        return std::ranges::any_of(disturbed_, [&](const TableColumn& column) {
            return words ? column.first == object.table && mentions(object.create, column.second)
                         : stands_on(schema_, object.key, column);
        });
    }

    // A session that ran it keeps in mind of what type new.price was, and fails once that is
    // another; see PostgreSQL's manual on the caching of plans. The same text in the same place is
    // read anew by all, and whatever calls it stays.
    bool reads_disturbed(const Object& object) const {
        if (object.key.first != "function" || !mentions(object.create, "plpgsql")) return false;
        return std::ranges::any_of(disturbed_, [&](const TableColumn& column) {
            return mentions(object.create, column.second) && handles(object, column.first);
        });
    }

    // Rows of the table: a trigger hands them in, or the text names it.
    bool handles(const Object& function, const std::string& table) const {
        if (mentions(function.create, table)) return true;
        return std::ranges::any_of(objects_, [&](const Object& trigger) {
            return trigger.key.first == "trigger" && trigger.table == table &&
                   mentions(trigger.create, function.key.second);
        });
    }

    // A function that is dropped takes policies and triggers that call it along; views stand on
    // foreign tables, and triggers on views.
    bool depends_on_remade(const Object& object) const {
        if (!is_routine(object.key.first) && object.key.first != "grant") return false;
        return std::any_of(remade_.begin(), remade_.end(), [&](const Key& key) {
            const bool stood_on =
                key.first == "function" || key.first == "foreign" || key.first == "view";
            return stood_on && schema_.recorded.contains(key) &&
                   mentions(object.create, key.second);
        });
    }

    const std::vector<Object>& objects_;
    const Schema& schema_;
    const Disturbed& disturbed_;
    diag::Findings& findings_;
    std::set<Key> wanted_, gone_, remade_, reread_;
    std::set<std::string> regranted_;
};

std::string make_kind(const std::string& kind) {
    if (kind == "constraint") return "add_constraint";
    if (kind == "index" || kind == "sequence" || kind == "words" || kind == "view")
        return "create_" + kind;
    if (kind == "foreign") return "create_foreign_table";
    return kind;
}

Step drop_step(const Key& key, const Recorded& recorded, const Schema& schema) {
    const auto found = schema.found.find(key);
    const std::string table = found == schema.found.end() ? "" : found->second.table;
    return {{"drop_" + key.first, table, "", recorded.drop_sql, ""}, ""};
}

// The same object as before: nothing of it is recorded anew.
Step read_again(const Object& object) {
    constexpr std::string_view kCreate = "create ";
    return {{"function", object.table, "",
             "create or replace " + object.create.substr(kCreate.size()), ""},
            object.path};
}

// Rows of a table that was there before. What fills is made behind the words.
void fill(const Object& object, const Schema& schema, std::vector<Step>& fills) {
    if (object.fill.empty() || !schema.tables.contains(object.table)) return;
    fills.push_back({{"fill_words", object.table, "", object.fill + "(false)", ""},
                     object.path,
                     false,
                     object.key});
}

// On tables that were there before, rows may break what is made now.
void ask(const Object& object, const Schema& schema, Diff& out) {
    if (!object.rows_may_be_in_way || !schema.tables.contains(object.table)) return;
    out.claims.push_back({object.table, object.key.second, object.create, object.path});
}

Key key_of(const Replaced& one) {
    return {one.kind, one.kind == "constraint" ? one.table + "." + one.name : one.name};
}

// What the contract's own takes the place of, where it is still there and somebody's.
std::vector<Step> drop_replaced(const Schema& schema) {
    std::vector<Step> out;
    for (const Replaced& one : schema.replaced) {
        const Key key = key_of(one);
        if (!schema.found.contains(key) || schema.recorded.contains(key)) continue;
        const std::string sql =
            one.kind == "index"
                ? "drop index if exists " + plan::table(one.name)
                : "alter table " + plan::table(one.table) + " drop constraint " + ident(one.name);
        out.push_back({{"drop_" + one.kind, one.table, "", sql, ""}, ""});
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
        if (key.first == "table") tables.insert(key.second);
    }
    for (const auto& [key, found] : schema.found) {
        const auto& [kind, name] = key;
        if (kind != "policy" && kind != "trigger" && kind != "constraint" && kind != "index")
            continue;
        const std::string bare = kind == "constraint" ? name.substr(name.find('.') + 1) : name;
        if (ours.contains(key) || !tables.contains(found.table) || bare.starts_with("svc_"))
            continue;
        out.leftovers.push_back({kind, found.table, bare});
    }
}

}  // namespace

std::vector<Object> objects_of(const plan::Plan& plan, const std::string& data_role) {
    std::vector<Object> objects;
    add_routines(plan, true, objects);
    add_constraints(plan, false, objects);
    add_constraints(plan, true, objects);
    add_indexes(plan, objects);
    add_routines(plan, false, objects);
    for (Object& object : objects) {
        object.create = fill_hole(object.create, kHole, data_role);
        object.drop = fill_hole(object.drop, kHole, data_role);
    }
    return objects;
}

ObjectChanges diff_objects(const plan::Plan& plan, const Schema& schema, const Disturbed& disturbed,
                           const std::string& data_role, Diff& out) {
    const auto objects = objects_of(plan, data_role);
    Remaking remaking(objects, schema, disturbed, out.findings);
    remaking.run();
    list_leftovers(objects, schema, out);

    ObjectChanges changes;
    changes.drops = drop_replaced(schema);
    for (const auto& table : remaking.regranted()) {
        const bool had_grants = schema.recorded.contains({"table", table});
        if (!had_grants || !schema.tables.contains(table)) continue;
        changes.drops.push_back(
            {{"revoke", table, "",
              "revoke all on " + plan::table(table) + " from public, " + data_role, ""},
             ""});
    }
    for (const Key& key : remaking.dropped()) {
        changes.drops.push_back(drop_step(key, schema.recorded.at(key), schema));
    }
    std::vector<Step> fills;
    for (const Object& object : objects) {
        if (remaking.reread(object.key)) changes.makes.push_back(read_again(object));
        if (!remaking.remade(object.key)) continue;
        auto& steps = object.key.first == "sequence" ? changes.before : changes.makes;
        steps.push_back({{make_kind(object.key.first), object.table, "", object.create, ""},
                         object.path,
                         object.rows_may_be_in_way,
                         object.key});
        ask(object, schema, out);
        fill(object, schema, fills);
        out.made.push_back({object.key, base::sha256_hex(object.create), object.drop});
    }
    changes.makes.insert(changes.makes.end(), fills.begin(), fills.end());
    out.gone.insert(out.gone.end(), remaking.gone().begin(), remaking.gone().end());
    return changes;
}

}  // namespace svc::migrate
