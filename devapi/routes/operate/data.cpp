// Reading rows of the dev database by equality, past row-level security.
#include "calls/environment.hpp"
#include "common/json_slice.hpp"
#include "http/fields.hpp"
#include "platform/table_query.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {
namespace {

constexpr int kUsualRows = 50, kMostRows = 200;

// Numbers by their digits as sent; null stays null; lists and objects as JSON text.
std::optional<std::string> parameter(std::string_view value) {
    if (value == "null") return std::nullopt;
    if (!value.starts_with('"')) return std::string(value);
    return json::parse(value).get<std::string>();
}

void take_where(const Request& request, Fields& fields, TableQuery& query) {
    const auto where = json_member(request.body, "where");
    if (!where || *where == "null") return;
    if (!where->starts_with('{'))
        return fields.wrong("where", "Must be an object of columns and their values.");
    for (const auto& [column, value] : json_members(*where)) {
        auto text = parameter(value);
        if (text && text->find('\0') != std::string::npos)
            fields.wrong("where", "A value contains a character that no column can store.");
        query.where.emplace_back(column, std::move(text));
    }
}

std::string rows_text(const TableResult& result) {
    json fields = json::array();
    for (const auto& field : result.fields)
        fields.push_back({{"name", field.name}, {"type", field.type}});
    std::string rows;
    for (const auto& row : result.rows) rows.append(rows.empty() ? "" : ",").append(row);
    return "{\"rows\":[" + rows + "],\"rowCount\":" + std::to_string(result.rows.size()) +
           ",\"fields\":" + to_text(fields) +
           ",\"truncated\":" + (result.truncated ? "true" : "false") + "}";
}

void query(Context& context, const Request& request, Response& response) {
    Fields fields(request);
    TableQuery query;
    query.table = fields.required_text("table", 1, 63);
    query.limit = fields.integer("limit", 1, kMostRows).value_or(kUsualRows);
    if (!fields.good(response)) return;
    take_where(request, fields, query);
    if (!fields.good(response)) return;
    const std::string database = database_of(context, request, Env::dev, response);
    if (database.empty()) return;
    const TableResult result = run_table_query(database, query);
    if (!result.error.empty())
        return response.send(400, {{"error", result.error}, {"code", result.sqlstate}});
    response.body = rows_text(result);
}

}  // namespace

void bind_data(RouteTable& table) {
    table.add({"POST", "/projects/:id/data/query", Need::read, Role::viewer, query, 64 * 1024,
               false, false, true});
}

}  // namespace svc::devapi
