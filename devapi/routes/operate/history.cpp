// The history of a row, for developers.
#include "operate/row/history.hpp"

#include <algorithm>

#include "base/formats.hpp"
#include "calls/environment.hpp"
#include "common/meant.hpp"
#include "http/fields.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {
namespace {

constexpr int kUsualEntries = 50, kMostEntries = 500;

// Negative: answered.
std::int64_t before_of(const Request& request, Response& response) {
    const std::string text = query_value(request.query, "before");
    if (text.empty()) return 0;
    if (const auto before = positive_number(text)) return *before;
    bad_parameter(response, "before", "Must be the value of next from an earlier answer.");
    return -1;
}

std::string why_none(const std::string& table, const std::vector<std::string>& tables) {
    if (std::ranges::find(tables, table) == tables.end())
        return with_meant("There is no table '" + table + "'.", table, tables);
    return "The table " + table + " keeps no history, because its entity has no audit.";
}

void history(Context& context, const Request& request, Response& response) {
    HistoryRequest wanted;
    wanted.table = request.params.at("table");
    wanted.row = request.params.at("row");
    if (!base::is_uuid(wanted.row)) return bad_parameter(response, "row", "Must be a row's id.");
    wanted.limit = limit_of(request, kUsualEntries, kMostEntries, response);
    if (wanted.limit == 0) return;
    wanted.before = before_of(request, response);
    const auto env = wanted.before < 0 ? std::nullopt : environment_of(request, response);
    if (!env) return;
    wanted.database = database_of(context, request, *env, response);
    if (wanted.database.empty()) return;
    HistoryFound found = history_of(wanted);
    if (!found.kept) return response.refuse(Code::not_found, why_none(wanted.table, found.tables));
    response.body = std::move(found.json);
}

}  // namespace

void bind_history(RouteTable& table) {
    Route route{"GET", "/projects/:id/rows/:table/:row/history", Need::read, Role::viewer, history};
    route.shows = true;
    table.add(route, {"limit", "before", "env"});
}

}  // namespace svc::devapi
