// The library libpg_query: PostgreSQL's own grammar. It is loaded when the first statement is read,
// so that a server that reads none does not need it. Its symbols, which are PostgreSQL's, are not
// shared with the program.
#pragma once

#include <pg_query.h>

namespace svc::sql {

struct PgQueryLibrary {
    decltype(&::pg_query_parse) parse;
    decltype(&::pg_query_free_parse_result) free_parse;
    decltype(&::pg_query_scan) scan;
    decltype(&::pg_query_free_scan_result) free_scan;
    decltype(&::pg_query_split_with_scanner) split;
    decltype(&::pg_query_free_split_result) free_split;
};

// Throws std::runtime_error where the library is not installed.
const PgQueryLibrary& pg_query_library();

}  // namespace svc::sql
