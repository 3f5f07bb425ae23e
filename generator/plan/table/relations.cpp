#include "plan/table/relations.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "plan/names.hpp"

namespace svc::plan {
namespace {

// Name to what has it, in words.
using Room = std::map<std::string, std::string>;

class Relations {
  public:
    explicit Relations(diag::Findings& findings) : findings_(findings) {}

    void add(Room& room, const std::string& name, const std::string& what,
             const std::string& path) {
        if (name.size() > kMaxName) {
            findings_.error("NAME_TOO_LONG", path,
                            "The database name " + name + " would have " +
                                std::to_string(name.size()) + " bytes, but 63 is the maximum.",
                            "shorten the name of the entity or of the fields");
        }
        const auto [at, fresh] = room.emplace(name, what);
        if (fresh) return;
        findings_.error("NAME_COLLISION", path,
                        at->second == what ? "The database would have " + what + " with the name " +
                                                 name + " twice."
                                           : "In the database, " + at->second + " and " + what +
                                                 " would both have the name " + name + ".",
                        at->second == what ? "remove one of the two" : "rename one of them");
    }

    void add(const Table& table) {
        add(room_, table.name, "the entity " + table.name, table.path);
        add(room_, table.name + "_pkey", "the key of " + table.name, table.path);
        Room own;
        for (const TableObject& object : table.constraints) {
            const bool unique = object.sql.find(" unique (") != std::string::npos;
            const std::string what = "a constraint of " + table.name;
            add(unique ? room_ : own, object.name, what, object.path);
        }
        for (const TableObject& index : table.indexes) {
            add(room_, index.name, "an index of " + table.name, index.path);
        }
    }

    void add_sequence(const Routine& sequence) {
        add(room_, sequence.name, "a sequence", "/entities#key");
    }

    // In a schema of their own; the key's name is the longest.
    void add_words(const Routine& words, const std::string& path) {
        add(words_, words.name + "_pkey", "the words of " + words.table, path);
    }

  private:
    diag::Findings& findings_;
    Room room_, words_;
};

}  // namespace

void check_relations(const Plan& plan, diag::Findings& findings) {
    Relations relations(findings);
    for (const Table& table : plan.tables) relations.add(table);
    for (const Routine& routine : plan.routines) {
        if (routine.kind == Routine::Kind::sequence) relations.add_sequence(routine);
        if (routine.kind != Routine::Kind::words) continue;
        const auto table = std::ranges::find(plan.tables, routine.table, &Table::name);
        relations.add_words(routine, table->path + "/search");
    }
}

}  // namespace svc::plan
