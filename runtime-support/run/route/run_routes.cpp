// /runtime/…: what operators do with workflows and runs.
#include "base/formats.hpp"
#include "base/number.hpp"
#include "data/db_error.hpp"
#include "data/write/idempotency.hpp"
#include "http/request/params.hpp"
#include "identity/command.hpp"
#include "run/route/operator.hpp"
#include "run/route/routes.hpp"
#include "run/route/run_body.hpp"
#include "run/route/run_error.hpp"
#include "run/route/run_reads.hpp"

namespace svc::run {

using route::Done;
using route::Request;
namespace {

// If a person started the run, the person is its actor.
constexpr std::string_view kStartByHand =
    R"(select svc.start_by_hand($1::text, $2::jsonb, '{"kind":"manual"}', $3::uuid, $4::text, $5::jsonb), '')";
constexpr std::string_view kCancel = "select svc.cancel_run($1::uuid), svc.has_run($1::uuid)";
constexpr std::string_view kReplay = "select svc.replay_runs($1::uuid[]), ''";
constexpr std::string_view kReplayPart =
    "select p.replayed, coalesce(p.reached::text, '')"
    " from svc.replay_part(nullif($1::text, '')::uuid, $2::boolean) p";
class Cells : public db::RowSink {
  public:
    void row(const Row& row) override {
        first = row.text(0);
        second = row.text(1);
    }
    std::string first, second;
};

// One statement that changes something, as an operator; `answer` makes the body of what it gave.
struct Change {
    std::string_view name, sql;
    std::span<const db::Param> params;
    int status = 200;
};
template <class Answer>
Task<Done> change(const RunContext& in, Request& request, const Caller& caller, Change what,
                  Answer answer) {
    http::Exchange& exchange = request.exchange;
    const auto key = data::write::read_idempotency_key(exchange, caller);
    if (!key) co_return refusal_of(key.error());
    Cells found;
    const db::Command command = identity::command(what.name, what.sql, what.params, &found);
    const data::write::WriteContext writing{exchange, caller, in.system, *key};
    const data::write::Finish finish = [&](std::size_t) {
        exchange.reply().status = what.status;
        exchange.reply().body = answer(found);
    };
    const db::Outcome outcome = co_await data::write::commit(writing, {&command, 1}, finish);
    if (outcome.ok) co_return Done();
    exchange.reply().clear();
    if (data::session_ended(outcome)) co_return identity::refusal(outcome);
    co_return refusal_of(error_of(outcome));
}

Task<Done> start(const RunContext& in, Request& request, const Caller& caller) {
    const auto body = read_start(request.exchange.body());
    if (!body) co_return refusal_of(body.error());
    const db::Param actor = caller.user ? db::Param(caller.user->id) : std::nullopt;
    const db::Param params[] = {request.id, body->input, actor, body->row, body->old};
    co_return co_await change(
        in, request, caller, {"svc_run_start", kStartByHand, params, 202},
        [](const Cells& found) { return R"({"ok":true,"runId":")" + found.first + "\"}"; });
}

Task<Done> cancel(const RunContext& in, Request& request, const Caller& caller) {
    if (!base::is_uuid(request.id)) co_return no_run();
    const db::Param params[] = {request.id};
    bool known = true;
    const auto answer = [&known](const Cells& found) {
        known = found.second == "t";
        return std::string(R"({"ok":true,"cancelled":)") +
               (found.first == "t" ? "true}" : "false}");
    };
    const Change what{"svc_run_cancel", kCancel, params};
    const Done done = co_await change(in, request, caller, what, answer);
    if (done && !known) co_return no_run();
    co_return done;
}

std::string replayed(std::uint64_t count) {
    return R"({"ok":true,"replayed":)" + std::to_string(count) + "}";
}

// All dead letters: part after part, and the last one with the answer. Should the request be
// repeated with its key, parts before the last one may replay again what has died again.
Task<Done> replay_all(const RunContext& in, Request& request, const Caller& caller) {
    std::uint64_t before = 0;
    std::string after;
    while (true) {
        Cells part;
        const db::Param params[] = {after, "t"};
        const db::Command command =
            identity::command("svc_run_replay_part", kReplayPart, params, &part);
        const db::Outcome outcome = co_await in.system.run_slow({&command, 1});
        if (!outcome.ok) co_return refusal_of(error_of(outcome));
        if (part.second.empty()) break;
        before += base::number_of<std::uint64_t>(part.first);
        after = part.second;
    }
    const db::Param params[] = {after, "f"};
    co_return co_await change(
        in, request, caller, {"svc_run_replay_part", kReplayPart, params},
        [before](const Cells& found) {
            return replayed(before + base::number_of<std::uint64_t>(found.first));
        });
}

Task<Done> replay(const RunContext& in, Request& request, const Caller& caller) {
    const auto ids = read_ids(request.exchange.body());
    if (!ids) co_return refusal_of(ids.error());
    if (!*ids) co_return co_await replay_all(in, request, caller);
    const db::Param params[] = {**ids};
    co_return co_await change(
        in, request, caller, {"svc_run_replay", kReplay, params},
        [](const Cells& found) { return replayed(base::number_of<std::uint64_t>(found.first)); });
}

using Act = Task<Done> (*)(const RunContext&, Request&, const Caller&);

Task<Done> as_operator(const RunContext& in, Request& request, Act act) {
    const auto caller = co_await operator_of(in.callers, request);
    if (!caller) co_return caller.error();
    co_return co_await act(in, request, *caller);
}

}  // namespace

void add_run_routes(const RunContext& in, std::vector<route::Endpoint>& endpoints) {
    const auto add = [&](Method method, std::string_view path, Act act,
                         http::ParamNames params = {}) {
        endpoints.push_back(
            {.method = method,
             .path = path,
             .entry = route::Entry::key,
             .handler = [&in, act](Request& request) { return as_operator(in, request, act); },
             .params = params});
    };
    add(Method::post, "/runtime/workflows/<id>/run", start);
    add(Method::get, "/runtime/runs", list_runs, list_params());
    add(Method::get, "/runtime/runs/<id>", read_run);
    add(Method::post, "/runtime/runs/<id>/cancel", cancel);
    add(Method::get, "/runtime/dlq", list_dead_letters, letter_params());
    add(Method::post, "/runtime/dlq/replay", replay);
}

}  // namespace svc::run
