#include "migrate/refusal/explain_failure.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace svc::migrate {
namespace {

struct Mend {
    std::string_view states;  // SQLSTATEs, or their first letters
    const char* words;
};

constexpr Mend kMends[] = {
    {"42P07 42710 42701 42P06 42723",
     "Something in the database already has this name: drop or rename it there, or choose another "
     "name in the contract."},
    {"2BP01 0A000",
     "Something that was created by hand depends on it: drop that first, and create it again "
     "afterwards."},
    {"42P01 42703 42883 42704 3F000",
     "Something that it needs is not in the database: if it was dropped by hand, create it again."},
    {"22 23", "Stored rows do not fit: change them first."},
    {"54", "It is larger than PostgreSQL allows: make it smaller."},
};

constexpr std::string_view kVerbs = "create add rename alter drop set enable fill revoke retire";

bool lists(std::string_view words, std::string_view word) {
    for (std::size_t at = 0; at <= words.size();) {
        const auto end = std::min(words.find(' ', at), words.size());
        if (words.substr(at, end - at) == word) return true;
        at = end + 1;
    }
    return false;
}

// "alter_type": alter, type. A kind that is a thing alone is made.
std::pair<std::string, std::string> verb_and_thing(ChangeKind of) {
    std::string kind(base::word(of));
    const auto line = kind.find('_');
    std::string verb = kind.substr(0, line);
    if (!lists(kVerbs, verb)) {
        verb = "make";
    } else {
        kind = line == std::string::npos ? "" : kind.substr(line + 1);
    }
    std::ranges::replace(kind, '_', ' ');
    return {verb, kind};
}

// The name of a constraint without its table.
std::string name_of(const Step& step) {
    if (!step.change.column.empty()) return step.change.column;
    const std::string& name = step.key.second;
    const std::string table = step.change.table + ".";
    return name.starts_with(table) ? name.substr(table.size()) : name;
}

}  // namespace

std::string words_of(const Step& step) {
    auto [verb, thing] = verb_and_thing(step.change.kind);
    const std::string &table = step.change.table, name = name_of(step);
    // A type, a default, a not null is a column's.
    const bool of_column = !step.change.column.empty() && thing != "column";
    std::string out = verb + " the " + thing;
    if (of_column) return out + " of the column " + name + " of " + table;
    if (!name.empty() && name != table) out += " " + name;
    if (table.empty()) return out;
    return thing == "table" ? out + " " + table
                            : out + (thing == "index" ? " on " : " of ") + table;
}

std::string fix_of(const std::string& state, const std::string& sql) {
    std::string out;
    for (const Mend& one : kMends)
        if (lists(one.states, state) || lists(one.states, std::string_view(state).substr(0, 2)))
            out = std::string(one.words) + " ";
    return out + "The statement: " + sql;
}

}  // namespace svc::migrate
