// An author's SQL, read: one statement that does no more than its mode says and names nothing but
// entities and its own parameters.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "diag/finding.hpp"
#include "plan/queries.hpp"
#include "query/read/edited.hpp"
#include "query/read/walk.hpp"

namespace svc::query {

struct Read {
    std::vector<Edit> params;  // :name to $1, and what stands around the statement cut off
    std::vector<std::size_t> relations;  // where entities are named
    std::set<std::string> tables;        // which
    std::optional<Conflict> conflict;
    std::vector<std::size_t> columns;  // where the result's columns stand; none after a star
    // Where a name of a column is first read, and first written to.
    std::map<std::string, std::size_t> reads, writes;

    // The text to prepare, its tables named in that schema.
    Edited in_schema(const std::string& sql, const std::string& schema) const;
    // The texts around its parameters, tables named in public, and the numbers of these, from 0.
    struct Pieces {
        std::vector<std::string> texts;
        std::vector<std::size_t> params;
    };
    Pieces pieces(const std::string& sql) const;
};

// Nothing after a finding. Places are bytes of the author's text.
std::optional<Read> read(const plan::Query& query, const std::vector<std::string>& entities,
                         diag::Findings& findings);

}  // namespace svc::query
