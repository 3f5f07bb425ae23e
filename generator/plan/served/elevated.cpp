#include "plan/served/elevated.hpp"

#include "base/sha256.hpp"
#include "base/sql_state.hpp"
#include "plan/names.hpp"

namespace svc::plan {
namespace {

constexpr std::size_t kHashDigits = 16;

// Names of queries hold slashes and may be longer than PostgreSQL's.
std::string function_name(const Query& query) {
    return "elevated_" + base::sha256_hex(query.name).substr(0, kHashDigits);
}

std::string arguments(const Query& query) {
    std::string out;
    for (const QueryParam& param : query.params) {
        out += (out.empty() ? "" : ", ") + param.sql_type;
    }
    return out;
}

std::string result(const Query& query) {
    std::string out;
    for (const QueryColumn& column : query.columns) {
        out += (out.empty() ? "" : ", ") + quoted(column.name) + " " + column.sql_type;
    }
    return out;
}

// A bare name in the query means a column, as it did where the query was proved.
Routine function(const Query& query) {
    const std::string signature = "svc." + function_name(query) + "(" + arguments(query) + ")";
    const std::string body =
        "#variable_conflict use_column\nbegin\n    if not svc.elevated() then\n"
        "        raise exception using errcode = '" +
        std::string(base::sqlstate::kRowForbidden) +
        "', message = 'Admin required';\n"
        "    end if;\n    return query\n" +
        query.statement.sql + "\n;\nend\n";
    Routine out;
    out.kind = Routine::Kind::function;
    out.name = function_name(query);
    out.create = "create function " + signature + " returns table (" + result(query) +
                 ")\nlanguage plpgsql stable security definer\n" + kSafePath + " as " +
                 dollar_quoted(body) + ";\nrevoke all on function " + signature +
                 " from public;\ngrant execute on function " + signature + " to :data_role";
    out.drop = "drop function if exists " + signature + " cascade";
    return out;
}

Statement statement(const Query& query) {
    std::string columns;
    std::string values;
    for (const QueryColumn& column : query.columns) {
        columns += (columns.empty() ? "" : ", ") + ident(column.name);
    }
    for (std::size_t i = 1; i <= query.params.size(); ++i) {
        values += (i == 1 ? "$" : ", $") + std::to_string(i);
    }
    return {query.statement.name + "_elevated",
            "select " + columns + " from svc." + function_name(query) + "(" + values + ")",
            query.statement.types};
}

}  // namespace

void plan_elevated(Plan& plan) {
    for (Query& query : plan.queries) {
        if (query.writes || query.columns.empty()) continue;
        plan.routines.push_back(function(query));
        query.elevated = statement(query);
    }
}

}  // namespace svc::plan
