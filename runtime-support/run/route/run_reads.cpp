#include "run/route/run_reads.hpp"

#include <algorithm>
#include <optional>

#include "base/formats.hpp"
#include "base/parts.hpp"
#include "data/query_params.hpp"
#include "db/one_value.hpp"
#include "http/request/params.hpp"
#include "identity/command.hpp"
#include "run/route/run_error.hpp"

namespace svc::run {

using route::Done;
using route::Request;
namespace {

// A step's last attempt says how it is, the first when it began.
constexpr std::string_view kReadRun =
    "select (r - 'steps') || jsonb_build_object('steps', (select coalesce(jsonb_agg(s.step order by"
    " s.began, s.path), '[]') from (select p.path, min(a ->> 'startedAt') as began,"
    " jsonb_build_object('id', p.path, 'kind', (array_agg(a -> 'kind'))[1], 'attempts', count(*),"
    " 'status', (array_agg(a -> 'status' order by p.attempt desc))[1],"
    " 'startedAt', min(a ->> 'startedAt'),"
    " 'endedAt', (array_agg(a -> 'endedAt' order by p.attempt desc))[1],"
    " 'output', (array_agg(a -> 'output' order by p.attempt desc))[1],"
    " 'error', (array_agg(a -> 'error' order by p.attempt desc))[1],"
    " 'errorCode', (array_agg(a -> 'errorCode' order by p.attempt desc))[1]) as step"
    " from jsonb_array_elements(r -> 'steps') a, lateral (select a ->> 'path' as path,"
    " (a ->> 'attempt')::integer as attempt) p group by p.path) s)), ''"
    " from svc.read_run($1::uuid) r where r is not null";
constexpr std::string_view kListRuns =
    "select r, r ->> 'id' from svc.list_runs($1::text, $2::text, $3::uuid, $4::integer + 1) r";
constexpr std::string_view kDeadLetters =
    "select jsonb_build_object('jobId', r -> 'id', 'runId', r -> 'id', 'workflow', r -> 'workflow',"
    " 'error', r -> 'error', 'errorCode', r -> 'errorCode', 'attempts', r -> 'attempts', 'step',"
    " r -> 'failedStep', 'failedAt', r -> 'endedAt'), r ->> 'id'"
    " from svc.list_runs($1::text, 'dlq', $3::uuid, $4::integer + 1) r where $2::text is null";

constexpr std::string_view kStatuses[] = {"queued", "running", "waiting",   "succeeded",
                                          "failed", "dead",    "cancelled", "held"};
constexpr std::string_view kListParams[] = {"workflow", "status", "limit", "cursor"};
constexpr std::string_view kLetterParams[] = {"workflow", "limit", "cursor"};

// Takes at most `limit` rows; one more row says that there is a next page.
class Page : public db::RowSink {
  public:
    explicit Page(std::uint64_t limit) : limit_(limit) {}
    void row(const Row& row) override {
        if (count_++ >= limit_) return;
        if (!text_.empty()) text_ += ',';
        text_ += row.text(0);
        last_ = row.text(1);
    }
    std::string body(std::string_view member) const {
        const std::string next = count_ > limit_ ? '"' + last_ + '"' : "null";
        return R"({"ok":true,")" + std::string(member) + "\":[" + text_ + R"(],"nextCursor":)" +
               next + "}";
    }

  private:
    const std::uint64_t limit_;
    std::uint64_t count_ = 0;
    std::string text_, last_;
};

struct ListStatement {
    std::string_view name, sql, member;
};

std::optional<std::string> given(std::string_view query, std::string_view name) {
    http::QueryParam param = http::query_param(query, name);
    return param.found && !param.value.empty() ? std::optional(std::move(param.value))
                                               : std::nullopt;
}

Task<Done> list(const RunContext& in, Request& request, ListStatement what) {
    const std::string_view query = request.exchange.head().query;
    const auto limit = data::whole_param(query, "limit", {50, 1, 200});
    if (!limit) co_return refusal_of(limit.error());
    const auto workflow = given(query, "workflow"), status = given(query, "status");
    const auto cursor = given(query, "cursor");
    if (status && std::ranges::find(kStatuses, *status) == std::end(kStatuses))
        co_return identity::refusal(Code::params_invalid,
                                    "\"status\" must be one of " + base::joined(kStatuses) + ".",
                                    "status");
    if (cursor && !base::is_uuid(*cursor))
        co_return identity::refusal(Code::params_invalid,
                                    "\"cursor\" must be the \"nextCursor\" of the previous page.",
                                    "cursor");
    const std::string most = std::to_string(*limit);
    const db::Param params[] = {workflow, status, cursor, most};
    Page page(*limit);
    const db::Command command = identity::command(what.name, what.sql, params, &page);
    const db::Outcome outcome = co_await in.system.run({&command, 1});
    if (!outcome.ok) co_return identity::refusal(outcome);
    request.exchange.reply().body = page.body(what.member);
    co_return Done();
}

}  // namespace

http::ParamNames list_params() { return kListParams; }
http::ParamNames letter_params() { return kLetterParams; }

identity::Refusal no_run() { return identity::refusal(Code::not_found, "There is no such run."); }

Task<Done> read_run(const RunContext& in, Request& request, const Caller& /*caller*/) {
    if (!base::is_uuid(request.id)) co_return no_run();
    db::OneText found;
    const db::Param params[] = {request.id};
    const db::Command command = identity::command("svc_run_read", kReadRun, params, &found);
    const db::Outcome outcome = co_await in.system.run({&command, 1});
    if (!outcome.ok) co_return identity::refusal(outcome);
    if (!found.text) co_return no_run();
    request.exchange.reply().body = R"({"ok":true,"run":)" + *found.text + "}";
    co_return Done();
}

Task<Done> list_runs(const RunContext& in, Request& request, const Caller& /*caller*/) {
    return list(in, request, {"svc_run_list", kListRuns, "runs"});
}

Task<Done> list_dead_letters(const RunContext& in, Request& request, const Caller& /*caller*/) {
    return list(in, request, {"svc_run_letters", kDeadLetters, "deadLetters"});
}

}  // namespace svc::run
