// Reads the kind and the tables of a statement from its syntax tree, and finds parts that a named
// query may not have.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace svc::query {

// on conflict (columns) of an insert; no columns where an expression is among them.
struct Conflict {
    std::size_t at = 0;
    std::string table;
    std::set<std::string> columns;
};

struct WalkResult {
    std::set<std::size_t> relations;  // places of entities' names
    std::set<std::string> tables;     // these entities
    std::multiset<std::size_t> params;
    std::optional<Conflict> conflict;
    // Places of the result's columns; none if a star covers some of them.
    std::vector<std::size_t> columns;
    // Where a name of a column is first read, and first written to.
    std::map<std::string, std::size_t> reads, writes;
};

struct Mistake {
    std::size_t at;
    const char* code;
    std::string message, fix;
};

struct Rules {
    bool writes = false;
    std::vector<std::string> entities;
    std::function<void(Mistake)> report;
};

// `statement` is the node under "stmt", `at` its place. All places are bytes of the parsed text.
WalkResult walk(const nlohmann::json& statement, std::size_t at, const Rules& rules);

}  // namespace svc::query
