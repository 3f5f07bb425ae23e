// Named queries: their names in the server, and how their SQL runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "plan/column_type.hpp"
#include "plan/facts.hpp"

namespace svc::plan {

// A prepared statement of the server.
struct Statement {
    std::string name;  // product_get
    std::string sql;
    std::vector<std::string> types;  // PostgreSQL types of $1…
};

struct QueryParam {
    std::string name;
    model::FieldType declared = model::FieldType::text;  // what the contract calls it
    ColumnType type = ColumnType::text;
    std::string sql_type, oid;
    bool required = false;
    std::optional<std::string> fallback;  // PostgreSQL input text; none: null
    Facts facts;
};

// A parameter of a query, a function or a workflow.
QueryParam plan_param(const model::Model& model, const model::Field& field);

struct QueryColumn {
    std::string name;
    ColumnType type = ColumnType::text;
    Writer writer = Writer::text;
    std::string oid;
    std::string sql_type;
};

struct Query {
    std::string name;                  // reports/top_products
    std::vector<std::string> folders;  // namespaces
    std::string cpp_value;             // top_products
    std::string description;
    std::string source;  // svc.json#/queries/0
    bool writes = false;
    bool workflow = false;         // steps may run it
    std::uint64_t allow = 0;       // principals
    std::vector<std::string> who;  // as the contract says it: end_user, clerk, workflow
    std::string sql;               // as its author wrote it, with :name
    std::string path;              // JSON pointer of the SQL
    std::vector<QueryParam> params;
    // The members below are set once the SQL is read and proved.
    Statement statement;  // the same SQL with $1… and tables in their schema
    std::vector<QueryColumn> columns;
    Statement elevated;  // past row-level security; without a name if there is none
    // For a query that steps may run: the texts around its parameters, and the parameter between
    // each two of them.
    std::vector<std::string> pieces;
    std::vector<std::size_t> placeholders;
};

}  // namespace svc::plan
