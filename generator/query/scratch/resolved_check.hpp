// Compares what PostgreSQL resolved in a statement with the lists of what is allowed. The grammar
// does not show every call: if t has no column f, t.f is f(t); casts and operators call functions;
// and a value without a type takes one from its context.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "query/scratch/scratch_connection.hpp"

namespace svc::query {

// The author of a statement.
enum class StatementAuthor {
    author,    // a named query, against temporary tables
    developer  // past row-level security: also what is asked about rows and definitions
};

struct Violation {
    enum class What { function, type, op, relation, node } what = What::node;
    std::string name, message;
    int at = -1;  // byte of the statement; -1: no place
};

// Functions that developers may call and authors not: of PostgreSQL, or of the schema svc.
bool is_developers(const std::string& schema, const std::string& function);
// Catalogues that a developer may read: of this database alone, and of what is not a secret in it.
bool is_read_catalogue(const std::string& name);

// The first violation. None if the statement is allowed, or if PostgreSQL refuses it (`refused`).
std::optional<Violation> check_resolved(ScratchConnection& scratch, const std::string& sql,
                                        const std::vector<std::string>& types,
                                        StatementAuthor author, std::optional<Refusal>& refused);

}  // namespace svc::query
