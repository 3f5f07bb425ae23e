#include "verify/flow/flow_drive.hpp"

#include <chrono>

#include "common/json_slice.hpp"
#include "platform/log_words.hpp"
#include "run/call/recorder.hpp"

namespace svc::devapi::verification {
namespace {

using DriveClock = std::chrono::steady_clock;

constexpr unsigned kMostVisits = 110;  // of one step, which is tried 100 times at most
constexpr std::chrono::seconds kLongestDrive{5};

// A function's refusal as a value: the statement itself must not fail.
constexpr const char* kAnswered = R"(
create function svc_verify.answered(p_name text, p_state jsonb) returns jsonb language plpgsql as $$
declare
    hint text;
begin
    return svc.run_function(p_name, p_state);
exception when query_canceled or others then
    get stacked diagnostics hint = pg_exception_hint;
    return jsonb_build_object('refused', case hint when 'FUNCTION_FAILED' then hint else sqlstate end,
                              'why', sqlerrm);
end $$;
set local statement_timeout = '5s';
)";

std::string member_text(const std::string& answer, std::string_view name) {
    return std::string(json_member(answer, name).value_or(""));
}

std::string text_of(const std::string& answer, const char* name) {
    return svc::json::parse(answer).value.text_of(name);
}

CloneConnection& owned(CloneConnection& db) {
    db.act_as_owner();
    return db;
}

}  // namespace

struct FlowDrive::Claimed {
    std::string id, fence, result;
};

FlowDrive::FlowDrive(CloneConnection& db) : db_(owned(db)), effects_(db) { db_.run(kAnswered); }

template <class Work>
FlowOutcome FlowDrive::taken_back(Work work) {
    FlowOutcome out;
    visits_.clear();
    db_.run("savepoint drive");
    effects_.forget();
    try {
        work(out);
        effects_.list(out);
    } catch (const pqxx::broken_connection&) {
        throw;
    } catch (const pqxx::sql_error& error) {
        out.end = FlowOutcome::End::broken;
        out.code = error.sqlstate();
        out.error = words_of(error);
    }
    db_.run("rollback to savepoint drive; release savepoint drive");
    return out;
}

bool FlowDrive::again_and_again(const std::string& path) { return ++visits_[path] > kMostVisits; }

// The result of the step, in the form of the engine.
std::string FlowDrive::stand_in(const std::string& asked, FlowOutcome& out) {
    const run::ServiceCall read = run::read_call(svc::json::parse(asked).value);
    out.path = read.path;
    effects_.note(read.kind_name, run::target_of(read));
    return run::result_of(read.path, run::stand_in(read));
}

std::string FlowDrive::answer(const std::string& function, const std::string& state,
                              const std::string& result) {
    const std::string given =
        result.empty() ? "'{}'" : "jsonb_build_object('result', " + db_.quote(result) + "::jsonb)";
    return db_.text("select svc_verify.answered(" + db_.quote(function) + ", " + db_.quote(state) +
                    "::jsonb || " + given + ")::text");
}

FlowOutcome FlowDrive::call(const std::string& function, const std::string& state) {
    return taken_back([&](FlowOutcome& out) {
        std::string now = state, result;
        const auto until = DriveClock::now() + kLongestDrive;
        while (out.end == FlowOutcome::End::ended) {
            const std::string reply = answer(function, now, result);
            out.code = text_of(reply, "refused");
            if (json_member(reply, "done") || !out.code.empty()) {
                if (out.code.empty())
                    out.status = run::RunStatus::succeeded;
                else
                    out.end = FlowOutcome::End::refused;
                out.path.clear();
                out.error = text_of(reply, "why");
                return;
            }
            now = member_text(reply, "state");
            result = stand_in(member_text(reply, "outside"), out);
            if (again_and_again(out.path)) out.end = FlowOutcome::End::endless;
            if (DriveClock::now() > until) out.end = FlowOutcome::End::cut_off;
        }
    });
}

FlowOutcome FlowDrive::run(const std::string& workflow, const FlowStart& start) {
    return taken_back([&](FlowOutcome& out) {
        const std::string actor = start.actor.empty() ? "null" : db_.quote(start.actor);
        const std::string name = db_.quote(workflow);
        const std::string trigger = db_.quote(start.trigger) + "::jsonb";
        std::string given = db_.quote(start.given) + "::jsonb";
        if (start.fills)
            given = "jsonb_build_object('input', svc.filled_input(" + name + ", " + given + "))";
        const std::string id = db_.text(
            (start.by_hand ? "select svc.start_run(" + name + ", " + given + ", " + trigger
                           : "select svc.open_run(" + name + ", " + trigger + ", " + given) +
            ", " + actor + "::uuid)");
        effects_.forget();  // that it was started
        if (id.empty()) {
            out.end = FlowOutcome::End::not_started;
            return;
        }
        go_on(id, out);
    });
}

void FlowDrive::go_on(const std::string& id, FlowOutcome& out) {
    Claimed claimed{id, claim(id), {}};
    const auto until = DriveClock::now() + kLongestDrive;
    while (out.end == FlowOutcome::End::ended && !claimed.fence.empty()) {
        if (!step(claimed, out)) break;
        if (DriveClock::now() > until) out.end = FlowOutcome::End::cut_off;
    }
    if (out.end == FlowOutcome::End::ended) read_end(id, out);
}

// Claims a run as svc.claim_runs claims a due one. Empty: it has ended.
std::string FlowDrive::claim(const std::string& id) {
    return db_.text(
        "update svc.run set owner = -1, fence = fence + 1, status = 'running', "
        "started_at = coalesce(started_at, clock_timestamp()) where id = " +
        db_.quote(id) + " and not svc.has_ended(status) returning fence");
}

// False: it has ended.
bool FlowDrive::step(Claimed& claimed, FlowOutcome& out) {
    const std::string answer =
        db_.text("select svc.advance(" + db_.quote(claimed.id) + ", -1, " + claimed.fence + ", " +
                 (claimed.result.empty() ? "null" : db_.quote(claimed.result)) + ")::text");
    claimed.result.clear();
    const auto state = base::read_word<run::RunState>(text_of(answer, "state"));
    if (state == run::RunState::ended) return false;
    if (state == run::RunState::outside) {
        claimed.result = stand_in(answer, out);
    } else if (state == run::RunState::waiting) {
        pass_wait(claimed.id, out);
        claimed.fence = claim(claimed.id);
    } else if (state != run::RunState::again) {
        out.end = FlowOutcome::End::broken;
        out.error = "The engine says \"" + text_of(answer, "state") + "\" of it.";
    }
    if (state != run::RunState::again && again_and_again(out.path))
        out.end = FlowOutcome::End::endless;
    return true;
}

// Lets the waiting time pass. Nobody sends the message that a run waits for.
void FlowDrive::pass_wait(const std::string& id, FlowOutcome& out) {
    const auto row =
        db_.run(
               "select place ->> 'path', place #>> '{frames,-1,w,kind}', "
               "place #>> '{frames,-1,w,topic}', ceil(extract(epoch from "
               "(place #>> '{frames,-1,w,until}')::timestamptz - clock_timestamp()))::bigint "
               "from svc.run where id = " +
               db_.quote(id))
            .at(0);
    const std::string kind = row[1].as<std::string>("");
    out.path = row[0].as<std::string>("");
    if (kind == "wait") effects_.note("waitFor", row[2].as<std::string>(""));
    if (kind == "sleep") effects_.note(kind, row[3].as<std::string>("") + " s");
    if (kind == "retry") effects_.note(kind, out.path);
    db_.run(
        "update svc.run set place = jsonb_set(place, '{frames,-1,w,until}', "
        "to_jsonb(clock_timestamp())) where id = " +
        db_.quote(id));
}

void FlowDrive::read_end(const std::string& id, FlowOutcome& out) {
    const auto row = db_.run(
                            "select status, error, error_code, place ->> 'path' from svc.run "
                            "where id = " +
                            db_.quote(id))
                         .at(0);
    out.status = base::read_word<run::RunStatus>(row[0].c_str());
    out.error = row[1].as<std::string>("");
    out.code = row[2].as<std::string>("");
    out.path = row[3].as<std::string>("");
}

}  // namespace svc::devapi::verification
