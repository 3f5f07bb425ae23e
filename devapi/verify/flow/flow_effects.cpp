#include "verify/flow/flow_effects.hpp"

namespace svc::devapi::verification {
namespace {

constexpr std::size_t kMostEffects = 50;  // of a run, that are listed

// Rows in order record what was done. A notification is also published.
constexpr const char* kNoteEffects = R"(
create table svc_verify.effect (n bigint generated always as identity, kind text, target text);
create function svc_verify.note_effect() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
    made jsonb := to_jsonb(new);
    what text := tg_argv[0];
begin
    if what = 'change' then
        insert into svc_verify.effect (kind, target) values (
            case when made ->> 'transition' is null then left(made ->> 'event', -1) else 'transition' end,
            concat_ws(' ', made ->> 'table_name', made ->> 'transition'));
    elsif what = 'notify' then
        insert into svc_verify.effect (kind, target)
        select what, a.email from svc.account a where a.id = (made ->> 'account_id')::uuid;
    elsif what <> 'publish' or made ->> 'topic' not like 'app:notifications:%' then
        insert into svc_verify.effect (kind, target)
        values (what, coalesce(made ->> 'recipient', made ->> 'topic', made ->> 'workflow'));
    end if;
    return null;
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
                       'execute function svc_verify.note_effect(%L)', noted.of_table, noted.what);
    end loop;
end $$;
)";

}  // namespace

FlowEffects::FlowEffects(CloneConnection& db) : db_(db) { db_.run(kNoteEffects); }

void FlowEffects::forget() { db_.run("delete from svc_verify.effect"); }

void FlowEffects::note(const std::string& kind, const std::string& target) {
    db_.run("insert into svc_verify.effect (kind, target) values (" + db_.quote(kind) + ", " +
            db_.quote(target) + ")");
}

void FlowEffects::list(FlowOutcome& out) {
    for (const auto& row : db_.run("select kind, target from svc_verify.effect order by n")) {
        if (out.effects.size() < kMostEffects)
            out.effects.push_back({row[0].c_str(), row[1].as<std::string>("")});
        else
            ++out.more;
    }
}

}  // namespace svc::devapi::verification
