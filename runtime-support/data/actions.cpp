#include "data/actions.hpp"

#include "base/formats.hpp"
#include "base/json_text.hpp"
#include "base/sql_state.hpp"
#include "base/utf8.hpp"
#include "data/call.hpp"
#include "data/history.hpp"
#include "data/write/write_actions.hpp"

namespace svc::data {

namespace {

constexpr std::size_t kMaxKey = 1000;  // bytes

// A caller without any grant is refused without a round trip. A transition needs read; the
// transition itself says who may make it.
bool granted(const Caller& caller, const Access& access, Action action) {
    const PrincipalSet who = caller.principals;
    switch (action) {
        case Action::list:
        case Action::aggregate:
        case Action::get:
        case Action::transition:
            return access.reads(who);
        case Action::create:
            return access.creates(who);
        case Action::update:
            return access.updates(who);
        case Action::remove:
        case Action::restore:
            return access.removes(who);
        case Action::history:
            return true;  // grants do not decide who reads it
    }
    return false;
}

bool needs_id(Action action) {
    return action != Action::list && action != Action::aggregate && action != Action::create;
}

Error not_an_id(std::string_view id) {
    std::string shown;
    base::append_json_utf8(shown, id.substr(0, 40));
    return {Code::params_invalid, "id takes a uuid, not " + shown, "id",
            std::string(base::sqlstate::kBadText)};
}

// Only the other database knows the form of keys of external rows.
std::optional<Error> check_id(const Entity& entity, std::string_view id) {
    if (!entity.external) return base::is_uuid(id) ? std::optional<Error>() : not_an_id(id);
    const bool text =
        !id.empty() && id.size() <= kMaxKey && id.find('\0') == id.npos && base::is_utf8(id);
    return text ? std::optional<Error>()
                : bad_params("The id of this row is not a valid key.", "id");
}

// A condition that would be passed over in silence would lose an update.
std::optional<Error> misplaced_condition(Action action, const http::Head& head) {
    const bool reads = action == Action::get || action == Action::list || action == Action::history;
    const bool changes = !reads && action != Action::create && action != Action::restore;
    if (!changes && !head.header("if-match").empty()) {
        return bad_params("If-Match belongs only to a change of one row: PATCH or DELETE.");
    }
    if (!reads && !head.header("if-none-match").empty()) {
        return bad_params("If-None-Match belongs only to GET. A change takes If-Match.");
    }
    if (changes && !head.header("idempotency-key").empty()) {
        return bad_params("Idempotency-Key belongs only to POST. A change takes If-Match.");
    }
    return std::nullopt;
}

// Why the call does not fit its route. If it does, the call holds what its head says.
std::optional<Error> read_head(const Route& route, Call& call) {
    if (!granted(call.caller, route.entity->access, route.action))
        return Error{Code::table_forbidden, "You are not allowed to do this with " +
                                                std::string(route.entity->name) + '.'};
    if (needs_id(route.action))
        if (auto error = check_id(*route.entity, call.id)) return error;
    const http::Head& head = call.exchange.head();
    if (auto error = misplaced_condition(route.action, head)) return error;
    auto match = if_match(head);
    if (!match) return match.error();
    call.match = std::move(*match);
    if (route.action != Action::create && route.action != Action::restore) return std::nullopt;
    auto idempotency_key = write::read_idempotency_key(call.exchange, call.caller);
    if (!idempotency_key) return idempotency_key.error();
    call.idempotency_key = std::move(*idempotency_key);
    return std::nullopt;
}

// The parameters that templates/openapi_table.json.mustache lists.
constexpr std::string_view kListParams[] = {"limit", "offset", "cursor", "where", "filter",
                                            "sort",  "select", "links",  "count", "tz"};
constexpr std::string_view kRowParams[] = {"select", "links", "tz"};
constexpr std::string_view kAggregateParams[] = {"metric",  "column", "metrics",   "where",
                                                 "filter",  "range",  "dateField", "compare",
                                                 "groupBy", "bucket", "fill",      "tz"};
constexpr std::string_view kHistoryParams[] = {"limit", "cursor"};
constexpr std::string_view kCreateParams[] = {"onConflict", "resolution"};

}  // namespace

http::ParamNames params_of(const Route& route) {
    switch (route.action) {
        case Action::list:
            return kListParams;
        case Action::get:
            return kRowParams;
        case Action::aggregate:
            return kAggregateParams;
        case Action::create:
            return route.entity->keys.empty() ? http::ParamNames()
                                              : http::ParamNames(kCreateParams);
        case Action::history:
            return kHistoryParams;
        case Action::update:
        case Action::remove:
        case Action::restore:
        case Action::transition:
            break;
    }
    return {};
}

Task<Handled> perform(const Route& route, std::string_view id, http::Exchange& exchange,
                      const Caller& caller, const App& app, db::Pool& pool,
                      const identity::Signer& signer, const FileLinks* files) {
    Call call{*route.entity, id, exchange, caller, app, pool, signer};
    call.files = files;
    if (const auto error = read_head(route, call)) co_return refuse(call, *error);
    switch (route.action) {
        case Action::list:
            co_return co_await list_rows(call);
        case Action::aggregate:
            co_return co_await aggregate_rows(call);
        case Action::get:
            co_return co_await get_row(call);
        case Action::create:
            co_return co_await write::create_row(call);
        case Action::update:
            co_return co_await write::update_row(call);
        case Action::remove:
            co_return co_await write::remove_row(call);
        case Action::transition:
            co_return co_await write::move_row(call);
        case Action::restore:
            co_return co_await write::restore_row(call);
        case Action::history:
            co_return co_await answer_history(call);
    }
    co_return Handled::answered;
}

}  // namespace svc::data
