// POST /functions/<name>. Its steps outside the database come before its first write, with no
// transaction open; what it writes is one transaction.
#include <algorithm>
#include <array>

#include "base/sql_state.hpp"
#include "data/db_error.hpp"
#include "data/sent_params.hpp"
#include "data/write/idempotency.hpp"
#include "identity/command.hpp"
#include "json/formats.hpp"
#include "run/route/function_state.hpp"
#include "run/route/routes.hpp"
#include "run/route/run_error.hpp"

namespace svc::run {

using route::Handled;
namespace {

constexpr unsigned kMostRounds = 1000;  // each is a step outside

constexpr std::string_view kRunFunction =
    "select (f -> 'done') is not null, f -> 'result', f -> 'outside', f -> 'state',"
    " set_config('svc.outside', case when f ? 'outside' then 'yes' else '' end, true)"
    " from (select svc.run_function($1::text, case when $3::jsonb is null then $2::jsonb"
    " else $2::jsonb || jsonb_build_object('result', $3::jsonb) end) as f offset 0) c";
// Takes an Idempotency-Key back that was claimed for less than the whole function.
constexpr std::string_view kRequireDone = "select svc.require_done() where $1::text is not null";

struct Progress : db::RowSink {
    void row(const Row& row) override {
        given = true;
        done = row.text(0) == "t";
        result = row.null(1) ? "null" : std::string(row.text(1));
        outside = row.text(2);
        state = row.text(3);
    }
    bool given = false, done = false;
    std::string result, outside, state;
};

// Why a text cannot be the parameters of a call. The database checks their names.
std::optional<Error> misread(std::string_view params) {
    const json::Parsed parsed = json::parse(params);
    if (!parsed.error.empty()) return data::bad_params(parsed.error);
    if (!parsed.value.is(json::Value::Kind::object))
        return data::bad_params("The parameters must be an object: {\"params\": {…}}.");
    if (json::numbers_in_range(params)) return std::nullopt;
    return data::bad_params("A number in the parameters has too many digits.");
}

Handled refuse(http::Exchange& exchange, const Error& error) {
    http::fail(exchange.reply(), error);
    return Handled::answered;
}

// A call under way.
struct FunctionCall {
    const RunContext& in;
    std::string_view name;
    data::write::WriteContext context;
    std::string state;
    std::optional<std::string> result;  // of the step outside that it was waiting for
};

Task<db::Outcome> go_on(const FunctionCall& call, Progress& progress) {
    const bool keyed = call.context.idempotency_key.has_value();
    const db::Param params[] = {call.name, call.state,
                                call.result ? db::Param(*call.result) : std::nullopt};
    const db::Param only[] = {call.name};
    // The answer is kept as the caller's, and the function may have been somebody else in its
    // steps.
    const IdentityCommand caller(call.context.caller);
    const std::array<db::Command, 3> commands = {
        identity::command("svc_function", kRunFunction, params, &progress),
        identity::command("svc_require_done", kRequireDone, only), caller.command()};
    http::Reply& reply = call.context.exchange.reply();
    const data::write::Finish finish = [&progress, &reply](std::size_t) {
        if (progress.done) reply.body = R"({"ok":true,"result":)" + progress.result + "}";
    };
    const std::span<const db::Command> all(commands.data(), keyed ? 3 : 1);
    co_return co_await data::write::commit(call.context, all, finish);
}

Task<> ask_outside(const RunContext& in, const Progress& progress, FunctionCall& call) {
    const json::Parsed asked = json::parse(progress.outside);
    ServiceResult service_result;
    if (asked.error.empty()) {
        service_result = co_await perform(in.services, read_call(asked.value));
    } else {
        service_result = failed(StepCode::request_refused,
                                "The request of the step cannot be read: " + asked.error);
    }
    call.result = result_of(asked.value.text_of("path"), service_result);
    call.state = progress.state;
}

Task<Handled> run_to_end(FunctionCall& call) {
    http::Exchange& exchange = call.context.exchange;
    for (unsigned round = 0; round < kMostRounds; ++round) {
        Progress progress;
        const db::Outcome outcome = co_await go_on(call, progress);
        if (data::session_ended(outcome)) {
            exchange.reply().clear();
            co_return Handled::session_ended;
        }
        const bool waits = progress.given && !progress.done &&
                           (outcome.ok || outcome.error().sqlstate == base::sqlstate::kWaits);
        if (!waits && !outcome.ok) co_return refuse(exchange, error_of(outcome));
        if (!waits) co_return Handled::answered;
        co_await ask_outside(call.in, progress, call);
    }
    co_return refuse(exchange,
                     {Code::unavailable, "The function makes too many calls to other services."});
}

Task<Handled> call_function(const RunContext& in, route::Request& request, const Caller& caller) {
    http::Exchange& exchange = request.exchange;
    const auto known = std::ranges::find(in.app.functions, request.id, &Function::name);
    if (known == in.app.functions.end())
        co_return refuse(exchange, {Code::not_found, "The app has no such function."});
    if (!caller.is(known->allow))
        co_return refuse(exchange, {Code::table_forbidden, "You may not call this function."});
    const auto key = data::write::read_idempotency_key(exchange, caller);
    if (!key) co_return refuse(exchange, key.error());
    const auto params = data::sent_params(exchange.body());
    if (!params) co_return refuse(exchange, params.error());
    if (const auto error = misread(*params)) co_return refuse(exchange, *error);
    FunctionCall call{in,
                      known->name,
                      {exchange, caller, in.system, *key, true},
                      first_state(*params, caller, *key),
                      std::nullopt};
    co_return co_await run_to_end(call);
}

}  // namespace

route::Endpoint function_route(const RunContext& in) {
    const auto handler = [&in](route::Request& request) {
        return route::as_caller(in.callers, request, [&](const Caller& caller) {
            return call_function(in, request, caller);
        });
    };
    return {.method = Method::post,
            .path = "/functions/<id>",
            .entry = route::Entry::key,
            .handler = handler};
}

}  // namespace svc::run
