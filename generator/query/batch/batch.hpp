// SQL that a developer runs past row-level security, read: statements that read and write rows, one
// after the other. What else there is (settings, transactions, definitions, functions that reach
// beyond rows) is not allowed, so that only svcd decides the settings of its connection.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace svc::query {

struct BatchStatement {
    std::string text;            // as written
    std::size_t characters = 0;  // of the batch before it
    // A query that changes nothing by its syntax, so a cursor may read it.
    bool cursor = false;
    // A write that returns nothing about rows: no query, no RETURNING, no EXPLAIN.
    bool silent = false;
    // Byte from which on it is about rows: after EXPLAIN; npos: SHOW, which is about none.
    std::size_t rows_from = 0;
    std::set<std::string> own_types;  // names that must be enumerations of the app's
};

struct Batch {
    std::vector<BatchStatement> statements;
    // Set where the batch is not taken.
    std::string refused, sqlstate;
    std::size_t position = 0;  // character of the batch, from 1; 0: no place
    bool definitions = false;  // refused, and all of it are definitions: read_ddl() may take it
};

inline constexpr std::size_t kBatchStatements = 100;

// `sql` must be UTF-8 without U+0000. It runs with standard_conforming_strings on, each statement
// by the protocol that takes one at a time.
Batch read_batch(const std::string& sql);

}  // namespace svc::query
