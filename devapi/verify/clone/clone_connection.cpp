#include "verify/clone/clone_connection.hpp"

#include "db/connection_settings.hpp"
#include "plan/names.hpp"

namespace svc::devapi::verification {
namespace {

constexpr const char* kTriggers =
    "select format('alter table %s %%s trigger %I', g.tgrelid::regclass, g.tgname) "
    "from pg_trigger g join pg_class t on t.oid = g.tgrelid where not g.tgisinternal "
    "and g.tgenabled = 'O' and t.relkind in ('r', 'p') "
    "and t.relnamespace = 'public'::regnamespace";

std::string with_verb(std::string statement, const char* verb) {
    return statement.replace(statement.find("%s"), 2, verb);
}

}  // namespace

CloneConnection::CloneConnection(const AppDatabase& database)
    : database_(database), connection_(database.admin_url), work_(connection_) {
    for (const auto& [name, value] : db::kConnectionSettings)
        run(std::string("set ") + name + " = " + quote(value));
    run("set search_path = public; set extra_float_digits = 1; set client_min_messages = 'error'; "
        "set statement_timeout = '20s'; set lock_timeout = '5s'; "
        "set jit = off");
}

std::string CloneConnection::text(const std::string& sql) {
    const auto rows = run(sql);
    return rows.empty() ? std::string() : rows[0][0].as<std::string>("");
}

std::vector<std::string> CloneConnection::list(const std::string& sql) {
    std::vector<std::string> out;
    for (const auto& row : run(sql)) out.push_back(row[0].as<std::string>(""));
    return out;
}

void CloneConnection::act_as(const VerifyCaller& caller) {
    run("set local role " + plan::ident(database_.data_role) +
        "; select set_config('svc.user_id', " + quote(caller.id) +
        ", true), set_config('svc.principals', " + quote(caller.names()) +
        ", true), set_config('svc.claims', " + quote(caller.claims()) + ", true)");
}

void CloneConnection::act_as_owner() { run("set local role " + plan::ident(database_.owner_role)); }

void CloneConnection::disable_triggers(const std::string& table) {
    std::string all, which = kTriggers;
    if (!table.empty())
        which += " and t.oid = " + quote(table) +
                 "::regclass and g.tgfoid::regproc::text !~ '_keep_words'";
    for (const std::string& statement : list(which)) {
        all += with_verb(statement, "disable") + "; ";
        disabled_.push_back(with_verb(statement, "enable"));
    }
    if (!all.empty()) run(all);
}

void CloneConnection::enable_triggers() {
    std::string all;
    for (const std::string& statement : disabled_) all += statement + "; ";
    disabled_.clear();
    if (!all.empty()) run(all);
}

RollbackScope::~RollbackScope() {
    try {
        connection_.run("rollback");
    } catch (const std::exception&) {
        // The connection is gone, and the transaction with it.
    }
}

std::string text_array(const std::vector<std::string>& texts) {
    std::string out = "{";
    for (const std::string& text : texts) {
        out += out.size() > 1 ? ",\"" : "\"";
        for (const char c : text) {
            if (c == '"' || c == '\\') out += '\\';
            out += c;
        }
        out += '"';
    }
    return plan::literal(out + "}") + "::text[]";
}

}  // namespace svc::devapi::verification
