#include "data/routes.hpp"

#include <algorithm>

#include "data/actions.hpp"
#include "data/queries.hpp"
#include "data/search/search.hpp"
#include "data/sql/raw_sql.hpp"
#include "identity/key/gate.hpp"

namespace svc::data {
namespace {

using route::as_caller;
using route::Done;
using route::Endpoint;
using route::Entry;
using route::Request;

constexpr std::string_view kExternal = "ext/";  // below it, rows of other databases

// True if the caller wants the cursor from which a feed of these rows continues.
bool wants_place(const Route& route, const http::Head& head) {
    const bool reads = route.action == Action::list || route.action == Action::get;
    return reads && !route.entity->external && head.header("x-svc-feed") == "1";
}

// The place is taken before the rows are read: what is written meanwhile comes twice, never not.
Task<route::Handled> perform_route(const Services& in, const Route& route, Request& request,
                                   const Caller& caller) {
    http::Exchange& exchange = request.exchange;
    std::string place;
    if (in.place_now && wants_place(route, exchange.head())) {
        place = co_await in.place_now(caller);
        if (place.empty()) {
            identity::refuse(exchange.reply(), identity::unreachable());
            co_return route::Handled::answered;
        }
    }
    const FileLinks* files = exchange.head().header("x-svc-files") == "1" ? in.files : nullptr;
    const route::Handled handled =
        co_await perform(route, request.id, exchange, caller, in.app, in.pool, in.cursors, files);
    if (handled == route::Handled::answered && !place.empty())
        exchange.reply().header("x-svc-cursor", place);
    co_return handled;
}

Endpoint endpoint_of(const Services& in, const Route& route) {
    const auto answer = [&in, &route](Request& request) {
        return as_caller(in.callers, request, [&](const Caller& caller) {
            return perform_route(in, route, request, caller);
        });
    };
    // A key that another database has may hold a slash.
    return {.method = route.method,
            .path = route.path,
            .entry = Entry::data,
            .handler = answer,
            .params = params_of(route),
            .slashes = route.entity->external};
}

Task<Done> answer_list_of_queries(const Services& in, Request& request) {
    const auto caller = co_await in.callers.identify(request);
    if (!caller) co_return caller.error();
    list_queries(request.exchange, *caller, in.app);
    co_return Done();
}

void add_queries(const Services& in, std::vector<Endpoint>& endpoints) {
    const auto list = [&in](Request& request) { return answer_list_of_queries(in, request); };
    const auto run = [&in](Request& request) {
        return as_caller(in.callers, request, [&](const Caller& caller) {
            return run_query(request.id, request.exchange, caller, in.app, in.pool);
        });
    };
    endpoints.push_back({Method::get, "/queries", Entry::data, list});
    endpoints.push_back({Method::get, "/queries/", Entry::data, list});
    // A query's folders are parted by slashes.
    endpoints.push_back({.method = Method::post,
                         .path = "/queries/<path>",
                         .entry = Entry::data,
                         .handler = run,
                         .slashes = true});
}

void add_search(const Services& in, std::vector<Endpoint>& endpoints) {
    const auto answer = [&in](Request& request) {
        return as_caller(in.callers, request, [&](const Caller& caller) {
            return search::search(request.exchange, caller, in.app, in.pool);
        });
    };
    endpoints.push_back(
        {Method::get, "/api/v1/search", Entry::data, answer, search::kSearchParams});
}

Task<Done> answer_sql(const Services& in, Request& request, std::string_view what) {
    const auto allowed = identity::check_server_key(request.exchange.head(), *request.key);
    if (!allowed) co_return allowed.error();
    const auto caller = co_await in.callers.identify(request);
    if (!caller) co_return caller.error();
    co_await sql::run_raw(what, request.exchange, *caller, in.app, in.pool);
    co_return Done();
}

void add_sql(const Services& in, std::vector<Endpoint>& endpoints) {
    constexpr std::string_view kFolder = "/data/";
    for (const std::string_view path : {"/data/query", "/data/exec", "/data/schema"}) {
        const auto answer = [&in, what = path.substr(kFolder.size())](Request& request) {
            return answer_sql(in, request, what);
        };
        endpoints.push_back({Method::post, path, Entry::data, answer});
    }
}

// A server that runs alone has nobody who may change its tables.
Task<Done> answer_migrate(const Services&, Request& request) {
    const auto allowed = identity::check_server_key(request.exchange.head(), *request.key);
    if (!allowed) co_return allowed.error();
    co_return identity::refusal(Code::not_found,
                                "This server runs without svcd, and only svcd can add tables.");
}

Task<Done> answer_unknown_table(const Services& in, Request& request) {
    // Names that no table can have; they are routes of their own if they are served.
    constexpr std::string_view kNoTables[] = {"", "search", "openapi.json", "ext"};
    std::string_view path = request.id;
    if (path.starts_with(kExternal)) path.remove_prefix(kExternal.size());
    const std::string_view table = path.substr(0, path.find('/'));
    const auto named = [table](const Entity* entity) { return entity->name == table; };
    if (std::ranges::find(kNoTables, table) != std::end(kNoTables) ||
        std::ranges::any_of(in.app.entities, named))
        co_return identity::refusal(Code::not_found, "The app has no such route.");
    co_return identity::refusal(Code::table_forbidden, "There is no table " + std::string(table) +
                                                           ", or it has no data API.");
}

Task<Done> answer_nothing(Request&) {
    co_return identity::refusal(Code::not_found, "The app has no such route.");
}

// An unknown path is reported as such, whatever its query string holds.
void add_unknown(const Services& in, std::vector<Endpoint>& endpoints) {
    const auto unknown = [&in](Request& request) { return answer_unknown_table(in, request); };
    endpoints.push_back({.path = "/api/v1/<path>",
                         .entry = Entry::data,
                         .handler = unknown,
                         .foreign_params = true});
    for (const std::string_view path : {"/data", "/data/<path>"})
        endpoints.push_back({.path = path,
                             .entry = Entry::data,
                             .handler = answer_nothing,
                             .foreign_params = true});
}

}  // namespace

std::vector<Endpoint> routes(const Services& in) {
    std::vector<Endpoint> endpoints;
    for (const Route& route : in.app.routes) endpoints.push_back(endpoint_of(in, route));
    add_queries(in, endpoints);
    add_search(in, endpoints);
    add_sql(in, endpoints);
    const auto migrate = [&in](Request& request) { return answer_migrate(in, request); };
    endpoints.push_back({Method::post, kMigratePath, Entry::data, migrate});
    add_unknown(in, endpoints);
    return endpoints;
}

}  // namespace svc::data
