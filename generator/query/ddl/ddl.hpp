// Reads SQL that adds unmanaged tables, and checks it against a list of what is allowed, as for
// named queries. It may only add, and must not change the contract's tables.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace svc::query {

// The objects in schema public.
struct DdlContext {
    std::set<std::string> managed;  // tables of the contract
    std::set<std::string> enums;    // types whose bare names mean them
    std::set<std::string> builtin;  // every type of PostgreSQL's own, listed or not
};

struct Ddl {
    std::vector<std::string> statements;  // one each, as written
    std::string refused;                  // why it may not run; empty: it may
};

// `sql` must be UTF-8 without U+0000. It runs with standard_conforming_strings on, and with public
// as the search path.
Ddl read_ddl(const std::string& sql, const DdlContext& context);

}  // namespace svc::query
