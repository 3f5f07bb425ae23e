#include "migrate/diff/recreation.hpp"

#include <algorithm>

#include "base/sha256.hpp"

namespace svc::migrate {
namespace {

bool is_routine(ObjectKind kind) {
    return kind == ObjectKind::function || kind == ObjectKind::trigger ||
           kind == ObjectKind::policy || kind == ObjectKind::view;
}

bool is_object(ObjectKind kind) {
    return is_routine(kind) || kind == ObjectKind::grant || kind == ObjectKind::sequence ||
           kind == ObjectKind::constraint || kind == ObjectKind::index ||
           kind == ObjectKind::words || kind == ObjectKind::foreign;
}

}  // namespace

void Recreation::run() {
    for (const Object& object : objects_) wanted_.insert(object.key);
    for (const auto& [key, recorded] : schema_.recorded) {
        if (is_object(key.first) && !wanted_.contains(key)) gone_.insert(key);
    }
    for (const Object& object : objects_) {
        if (changed(object) || depends_on_remade(object)) recreated_.insert(object.key);
    }
    // Rights of a table are taken back together, so they are given together.
    for (const Object& object : objects_) {
        if (object.key.first == ObjectKind::grant && !object.table.empty() &&
            recreated_.contains(object.key)) {
            regranted_.insert(object.table);
        }
    }
    for (const Object& object : objects_) {
        if (object.key.first == ObjectKind::grant && regranted_.contains(object.table)) {
            recreated_.insert(object.key);
        }
    }
    for (const Object& object : objects_) {
        if (!recreated_.contains(object.key) && reads_disturbed(object)) {
            reread_.insert(object.key);
        }
    }
}

// Drops in the reverse order of creation: later objects may depend on earlier ones.
std::vector<Key> Recreation::dropped() const {
    std::vector<Key> keys;
    for (const auto& [key, recorded] : schema_.recorded) {
        const bool goes = recreated_.contains(key) || gone_.contains(key);
        if (goes && !recorded.drop_sql.empty()) keys.push_back(key);
    }
    std::sort(keys.begin(), keys.end(), [this](const Key& a, const Key& b) {
        return schema_.recorded.at(a).place > schema_.recorded.at(b).place;
    });
    return keys;
}

bool Recreation::changed(const Object& object) const {
    const bool new_table = !object.table.empty() && !schema_.tables.contains(object.table);
    const auto recorded = schema_.recorded.find(object.key);
    return new_table || recorded == schema_.recorded.end() ||
           recorded->second.hash != base::sha256_hex(object.create) || recomputed(object) ||
           by_hand(object);
}

// Rights are one fact of a table, however many grants make them.
bool Recreation::by_hand(const Object& object) const {
    if (schema_.later.contains(object.key)) return false;
    const Key found =
        object.key.first == ObjectKind::grant ? Key{ObjectKind::rights, object.table} : object.key;
    if (!changed_by_hand(schema_, object.key, found)) return false;
    const bool there = schema_.found.contains(found);
    findings_.warning("CHANGED_BY_HAND", object.path,
                      "The " + std::string(base::word(object.key.first)) + " " + object.key.second +
                          " was " + (there ? "changed" : "dropped") +
                          " in the database by hand. This apply creates it again.");
    return true;
}

// Search words are computed from values by a function, a dependency that PostgreSQL does not know.
bool Recreation::recomputed(const Object& object) const {
    const bool words = object.key.first == ObjectKind::words;
    return std::ranges::any_of(recomputed_, [&](const TableColumn& column) {
        return words ? column.first == object.table && mentions(object.create, column.second)
                     : stands_on(schema_, object.key, column);
    });
}

// A connection that ran it keeps in mind of what type new.price was, and fails once that is
// another; see PostgreSQL's manual on the caching of plans. The same text in the same place is
// read anew by all, and whatever calls it stays.
bool Recreation::reads_disturbed(const Object& object) const {
    if (object.key.first != ObjectKind::function || !mentions(object.create, "plpgsql"))
        return false;
    return std::ranges::any_of(recomputed_, [&](const TableColumn& column) {
        return mentions(object.create, column.second) && handles(object, column.first);
    });
}

// Rows of the table: a trigger hands them in, or the text names it.
bool Recreation::handles(const Object& function, const std::string& table) const {
    if (mentions(function.create, table)) return true;
    return std::ranges::any_of(objects_, [&](const Object& trigger) {
        return trigger.key.first == ObjectKind::trigger && trigger.table == table &&
               mentions(trigger.create, function.key.second);
    });
}

// Policies and triggers depend on the functions that they call, views on foreign tables, and
// triggers on views.
bool Recreation::depends_on_remade(const Object& object) const {
    if (!is_routine(object.key.first) && object.key.first != ObjectKind::grant) return false;
    return std::any_of(recreated_.begin(), recreated_.end(), [&](const Key& key) {
        const bool stood_on = key.first == ObjectKind::function ||
                              key.first == ObjectKind::foreign || key.first == ObjectKind::view;
        return stood_on && schema_.recorded.contains(key) && mentions(object.create, key.second);
    });
}

}  // namespace svc::migrate
