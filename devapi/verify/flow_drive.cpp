#include "verify/flow_drive.hpp"

#include <algorithm>
#include <chrono>

#include "common/json_slice.hpp"
#include "platform/log_words.hpp"
#include "run/recorder.hpp"

namespace svc::devapi::verification {
namespace {

using DriveClock = std::chrono::steady_clock;

constexpr std::size_t kMostDeeds = 50;  // of a run, that are listed
constexpr unsigned kMostVisits = 110;   // of one step, which is tried 100 times at most
constexpr std::chrono::seconds kLongestDrive{5};

// Rows tell in their order what was done. A notification is published besides.
constexpr const char* kNoteDeeds = R"(
create table svc_verify.deed (n bigint generated always as identity, kind text, target text);
create function svc_verify.note_deed() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
    made jsonb := to_jsonb(new);
    what text := tg_argv[0];
begin
    if what = 'change' then
        insert into svc_verify.deed (kind, target) values (
            case when made ->> 'transition' is null then left(made ->> 'event', -1) else 'transition' end,
            concat_ws(' ', made ->> 'table_name', made ->> 'transition'));
    elsif what = 'notify' then
        insert into svc_verify.deed (kind, target)
        select what, a.email from svc.account a where a.id = (made ->> 'account_id')::uuid;
    elsif what <> 'publish' or made ->> 'topic' not like 'app:notifications:%' then
        insert into svc_verify.deed (kind, target)
        values (what, coalesce(made ->> 'recipient', made ->> 'topic', made ->> 'workflow'));
    end if;
    return null;
end $$;
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
do $$
declare
    noted record;
begin
    for noted in
        select * from (values ('mail', 'email'), ('notice', 'notify'), ('run', 'start')) v (of_table, what)
        union all select 'change_' || n, 'change' from generate_series(0, 3) n
        union all select 'topic_message_' || n, 'publish' from generate_series(0, 3) n
    loop
        execute format('create trigger verify_notes after insert on svc.%I for each row '
                       'execute function svc_verify.note_deed(%L)', noted.of_table, noted.what);
    end loop;
end $$;
set local statement_timeout = '5s';
)";

std::string member_text(const std::string& answer, std::string_view name) {
    return std::string(json_member(answer, name).value_or(""));
}

std::string text_of(const std::string& answer, const char* name) {
    return svc::json::parse(answer).value.text_of(name);
}

}  // namespace

std::string Driven::words() const {
    if (end == End::endless) return "never: it is at " + path + " again and again";
    if (end == End::cut_off) return "not yet: it takes longer than a verification waits";
    std::string out = end == End::broken ? "broken" : status;
    if (!path.empty()) out += " at " + path;
    if (!error.empty()) out += ": " + error;
    return code.empty() ? out : out + " (" + code + ")";
}

// Not a fault: an end that the app's own values, rows, rules and rights may cause.
bool Driven::own_fault() const {
    static constexpr const char* kTheirs[] = {
        "FAILED",    "FUNCTION_FAILED", "NOT_FOUND",   "RULE_REFUSED",   "TRANSITION_REFUSED",
        "TOO_LARGE", "CALL_DEPTH",      "ACTOR_GONE",  "LOOP",           "PARAMS_INVALID",
        "SKIPPED",   "REPLACED",        "URL_REFUSED", "METHOD_REFUSED", "HEADER_REFUSED",
        "42501",     "40001",           "40P01"};
    if (end == End::broken || end == End::endless) return true;
    if (end != End::ended || status == "succeeded") return false;
    if (code == "SV404") return true;  // a function that is not there
    for (const char* known : {"SV", "21", "22", "23"})
        if (code.starts_with(known)) return false;
    return std::ranges::find(kTheirs, code) == std::end(kTheirs);
}

struct FlowDrive::Claimed {
    std::string id, fence, result;
};

FlowDrive::FlowDrive(Session& db) : db_(db) {
    db_.become_owner();
    db_.run(kNoteDeeds);
}

template <class Work>
Driven FlowDrive::taken_back(Work work) {
    Driven out;
    visits_.clear();
    db_.run("savepoint drive; delete from svc_verify.deed");
    try {
        work(out);
        finish(out);
    } catch (const pqxx::broken_connection&) {
        throw;
    } catch (const pqxx::sql_error& error) {
        out.end = Driven::End::broken;
        out.code = error.sqlstate();
        out.error = words_of(error);
    }
    db_.run("rollback to savepoint drive; release savepoint drive");
    return out;
}

void FlowDrive::note(const std::string& kind, const std::string& target) {
    db_.run("insert into svc_verify.deed (kind, target) values (" + db_.quote(kind) + ", " +
            db_.quote(target) + ")");
}

void FlowDrive::finish(Driven& out) {
    for (const auto& row : db_.run("select kind, target from svc_verify.deed order by n")) {
        if (out.deeds.size() < kMostDeeds)
            out.deeds.push_back({row[0].c_str(), row[1].as<std::string>("")});
        else
            ++out.more;
    }
}

bool FlowDrive::again_and_again(const std::string& path) { return ++visits_[path] > kMostVisits; }

// What came of the step, as the engine takes it.
std::string FlowDrive::stand_in(const std::string& asked, Driven& out) {
    const run::Asked read = run::read_asked(svc::json::parse(asked).value);
    out.path = read.path;
    note(read.kind, run::target_of(read));
    return run::result_of(read.path, run::stand_in(read));
}

std::string FlowDrive::answer(const std::string& function, const std::string& state,
                              const std::string& result) {
    const std::string given =
        result.empty() ? "'{}'" : "jsonb_build_object('result', " + db_.quote(result) + "::jsonb)";
    return db_.text("select svc_verify.answered(" + db_.quote(function) + ", " + db_.quote(state) +
                    "::jsonb || " + given + ")::text");
}

Driven FlowDrive::call(const std::string& function, const std::string& state) {
    return taken_back([&](Driven& out) {
        std::string now = state, result;
        const auto until = DriveClock::now() + kLongestDrive;
        while (out.end == Driven::End::ended) {
            const std::string told = answer(function, now, result);
            out.code = text_of(told, "refused");
            if (json_member(told, "done") || !out.code.empty()) {
                out.status = out.code.empty() ? "succeeded" : "refused";
                out.path.clear();
                out.error = text_of(told, "why");
                return;
            }
            now = member_text(told, "state");
            result = stand_in(member_text(told, "outside"), out);
            if (again_and_again(out.path)) out.end = Driven::End::endless;
            if (DriveClock::now() > until) out.end = Driven::End::cut_off;
        }
    });
}

Driven FlowDrive::run(const std::string& workflow, const FlowStart& start) {
    return taken_back([&](Driven& out) {
        const std::string actor = start.actor.empty() ? "null" : db_.quote(start.actor);
        const std::string id = db_.text(
            std::string("select svc.") + (start.by_hand ? "start_run(" : "open_run(") +
            db_.quote(workflow) + ", " + db_.quote(start.by_hand ? start.given : start.trigger) +
            "::jsonb, " + db_.quote(start.by_hand ? start.trigger : start.given) + "::jsonb, " +
            actor + "::uuid)");
        db_.run("delete from svc_verify.deed");  // that it was started
        if (id.empty()) {
            out.end = Driven::End::not_started;
            return;
        }
        go_on(id, out);
    });
}

void FlowDrive::go_on(const std::string& id, Driven& out) {
    Claimed claimed{id, claim(id), {}};
    const auto until = DriveClock::now() + kLongestDrive;
    while (out.end == Driven::End::ended && !claimed.fence.empty()) {
        if (!step(claimed, out)) break;
        if (DriveClock::now() > until) out.end = Driven::End::cut_off;
    }
    if (out.end == Driven::End::ended) read_end(id, out);
}

// As svc.claim_runs takes a run that is due. Empty: it has ended.
std::string FlowDrive::claim(const std::string& id) {
    return db_.text(
        "update svc.run set owner = -1, fence = fence + 1, status = 'running', "
        "started_at = coalesce(started_at, clock_timestamp()) where id = " +
        db_.quote(id) + " and not svc.has_ended(status) returning fence");
}

// False: it has ended.
bool FlowDrive::step(Claimed& claimed, Driven& out) {
    const std::string answer =
        db_.text("select svc.advance(" + db_.quote(claimed.id) + ", -1, " + claimed.fence + ", " +
                 (claimed.result.empty() ? "null" : db_.quote(claimed.result)) + ")::text");
    claimed.result.clear();
    const std::string state = text_of(answer, "state");
    if (state == "ended") return false;
    if (state == "outside") {
        claimed.result = stand_in(answer, out);
    } else if (state == "waiting") {
        pass_wait(claimed.id, out);
        claimed.fence = claim(claimed.id);
    } else if (state != "again") {
        out.end = Driven::End::broken;
        out.error = "The engine says \"" + state + "\" of it.";
    }
    if (state != "again" && again_and_again(out.path)) out.end = Driven::End::endless;
    return true;
}

// As if it were later. Nobody sends the message that a run waits for.
void FlowDrive::pass_wait(const std::string& id, Driven& out) {
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
    if (kind == "wait") note("waitFor", row[2].as<std::string>(""));
    if (kind == "sleep") note(kind, row[3].as<std::string>("") + " s");
    if (kind == "retry") note(kind, out.path);
    db_.run(
        "update svc.run set place = jsonb_set(place, '{frames,-1,w,until}', "
        "to_jsonb(clock_timestamp())) where id = " +
        db_.quote(id));
}

void FlowDrive::read_end(const std::string& id, Driven& out) {
    const auto row = db_.run(
                            "select status, error, error_code, place ->> 'path' from svc.run "
                            "where id = " +
                            db_.quote(id))
                         .at(0);
    out.status = row[0].c_str();
    out.error = row[1].as<std::string>("");
    out.code = row[2].as<std::string>("");
    out.path = row[3].as<std::string>("");
}

}  // namespace svc::devapi::verification
