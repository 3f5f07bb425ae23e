// Renames one table in a Schema.
#include <algorithm>

#include "migrate/diff/definition.hpp"
#include "migrate/diff/table_renames.hpp"
#include "plan/names.hpp"

namespace svc::migrate {
namespace {

using plan::ident;

// "from.rest" as "to.rest".
std::string with_other_table(const std::string& name, const std::string& from,
                             const std::string& to) {
    return name.starts_with(from + ".") ? to + name.substr(from.size()) : name;
}

void replace_all(std::string& text, const std::string& what, const std::string& by) {
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
}

std::string bare_name(const std::string& key) { return key.substr(key.find('.') + 1); }

bool is_sequence_of(const plan::Table& table, const std::string& name) {
    return std::ranges::any_of(table.columns, [&](const plan::Column& column) {
        return name == table.name + "_" + column.name + "_seq";
    });
}

void replace_start(std::string& text, const std::string& what, const std::string& by) {
    if (text.starts_with(what)) text.replace(0, what.size(), by);
}

// The beginnings of statements of the plan (plan/table).
std::string constraint_of(const std::string& table, const std::string& name) {
    return "alter table " + plan::table(table) + " add constraint " + ident(name) + " ";
}

std::string index_of(const std::string& table, const std::string& name) {
    return "create index " + ident(name) + " on " + plan::table(table) + " ";
}

class TableRename {
  public:
    TableRename(const plan::Table& table, const std::string& from,
                const std::vector<Object>& objects, std::map<Key, std::string>& texts,
                TableRenames& out)
        : table_(table),
          from_(from),
          to_(table.name),
          objects_(objects),
          texts_(texts),
          out_(out) {}

    void run() {
        rename_table();
        for (const Object& object : objects_) keep(object);
        forget_deferred();
        move_facts();
        for (auto& [key, found] : out_.schema.found)
            if (found.table == from_) found.table = to_;
        rekey(out_.schema.found);
        move_dependents();
        out_.schema.called[to_] = from_;
    }

  private:
    void step(ChangeKind kind, std::string sql, const std::string& path, Key key = {}) {
        out_.steps.push_back({{kind, to_, "", std::move(sql)}, path, false, std::move(key)});
    }

    void rename_table() {
        auto state = out_.schema.tables.extract(from_);
        const std::string key = state.mapped().key;
        state.key() = to_;
        out_.schema.tables.insert(std::move(state));
        step(ChangeKind::rename_table,
             "alter table " + plan::table(from_) + " rename to " + ident(to_), table_.path);
        out_.steps.back().renames = from_;
        if (key == from_ + "_pkey") rename_constraint(key, to_ + "_pkey", table_.path, {});
    }

    void rename_constraint(const std::string& was, const std::string& name, const std::string& path,
                           const Key& key) {
        step(ChangeKind::rename_constraint,
             "alter table " + plan::table(to_) + " rename constraint " + ident(was) + " to " +
                 ident(name),
             path, key);
    }

    // What is named after the table and stays. Routines are made anew: their texts name the table.
    void keep(const Object& object) {
        const auto& [kind, name] = object.key;
        const bool of_table = kind == ObjectKind::constraint;
        const std::string bare = of_table ? bare_name(name) : name;
        const bool is_ours =
            kind == ObjectKind::sequence ? is_sequence_of(table_, name) : object.table == to_;
        if (!is_ours || !bare.starts_with(to_ + "_")) return;
        const std::string was = from_ + bare.substr(to_.size());
        Key key{kind, of_table ? from_ + "." + was : was};
        const Schema& schema = out_.schema;
        // A sequence counts on after its entity had left the contract.
        const bool ours = kind == ObjectKind::sequence || schema.recorded.contains(key);
        if (!ours || !schema.found.contains(key) || schema.later.contains(key) ||
            !rename(object, was, bare))
            return;
        kept_[std::move(key)] = object.key;
    }

    bool rename(const Object& object, const std::string& was, const std::string& name) {
        std::string& text = texts_[object.key] = object.create;
        switch (object.key.first) {
            case ObjectKind::constraint:
                rename_constraint(was, name, object.path, object.key);
                replace_start(text, constraint_of(to_, name), constraint_of(from_, was));
                return true;
            case ObjectKind::index:
                step(ChangeKind::rename_index,
                     "alter index " + plan::table(was) + " rename to " + ident(name), object.path,
                     object.key);
                replace_start(text, index_of(to_, name), index_of(from_, was));
                return true;
            case ObjectKind::sequence:
                step(ChangeKind::rename_sequence,
                     "alter sequence " + plan::table(was) + " rename to " + ident(name),
                     object.path, object.key);
                replace_all(text, plan::table(name), plan::table(was));
                return true;
            default:
                return false;
        }
    }

    // What was put off is decided anew.
    void forget_deferred() {
        std::erase_if(out_.schema.later, [&](const auto& later) {
            const auto& [key, table] = later;
            if (table != from_) return false;
            out_.settled.push_back(key);
            if (key.first == ObjectKind::not_null)
                out_.drops.push_back(
                    {{ChangeKind::drop_constraint, to_, "",
                      "alter table if exists " + plan::table(from_) +
                          " drop constraint if exists " + ident(stand_in_name(key.second))},
                     table_.path});
            return true;
        });
    }

    Key renamed(const Key& key) const {
        const auto kept = kept_.find(key);
        if (kept != kept_.end()) return kept->second;
        switch (key.first) {
            case ObjectKind::table:
            case ObjectKind::rights:
                return {key.first, key.second == from_ ? to_ : key.second};
            case ObjectKind::default_value:
            case ObjectKind::generated:
            case ObjectKind::type:
            case ObjectKind::constraint:
                return {key.first, with_other_table(key.second, from_, to_)};
            default:
                return key;
        }
    }

    // A table of the new name that somebody dropped may have left records of its own.
    template <class Map>
    void rekey(Map& map) {
        Map moved;
        for (auto& [key, value] : map) {
            if (Key other = renamed(key); other != key) moved[std::move(other)] = std::move(value);
        }
        std::erase_if(map, [&](const auto& one) { return renamed(one.first) != one.first; });
        for (auto& [key, value] : moved) map[key] = std::move(value);
    }

    void move_facts() {
        for (const auto& [key, word] : out_.schema.words) record(key, word);
        for (const auto& [key, recorded] : out_.schema.recorded) record(key, recorded.hash);
        rekey(out_.schema.words);
        rekey(out_.schema.recorded);
    }

    void record(const Key& key, const std::string& hash) {
        const Key other = renamed(key);
        if (other == key) return;
        out_.gone.push_back(key);
        const auto object = std::ranges::find(objects_, other, &Object::key);
        out_.made.push_back({other, hash, object == objects_.end() ? "" : object->drop});
    }

    void move_dependents() {
        std::map<TableColumn, std::set<Key>> out;
        for (const auto& [column, keys] : out_.schema.dependents) {
            auto& moved = out[{column.first == from_ ? to_ : column.first, column.second}];
            for (const Key& key : keys) moved.insert(renamed(key));
        }
        out_.schema.dependents = std::move(out);
    }

    const plan::Table& table_;
    const std::string from_, to_;
    const std::vector<Object>& objects_;
    std::map<Key, std::string>& texts_;
    TableRenames& out_;
    std::map<Key, Key> kept_;  // constraints, indexes and sequences: the key that they get
};

}  // namespace

void refer_to_former(std::string& sql, const Schema& schema) {
    if (definition_of(sql).kind != Definition::Kind::foreign_key) return;
    for (const auto& [to, from] : schema.called)
        replace_all(sql, " references " + plan::table(to) + " (",
                    " references " + plan::table(from) + " (");
}

void rename_table(const plan::Table& table, const std::string& from,
                  const std::vector<Object>& objects, std::map<Key, std::string>& texts,
                  TableRenames& out) {
    TableRename(table, from, objects, texts, out).run();
}

}  // namespace svc::migrate
