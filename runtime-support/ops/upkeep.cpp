#include "ops/upkeep.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <ctime>
#include <string>

#include "base/number.hpp"
#include "db/one_value.hpp"
#include "identity/command.hpp"
#include "log/log.hpp"

namespace svc::ops {
namespace {

using Clock = std::chrono::steady_clock;

struct Purge {
    std::string_view name, sql;
};

// Each is a transaction of its own: one that fails undoes none of the others, and the locks of one
// are not held through the next. Those that give a number purge a part, and give how much it was.
constexpr Purge kPurges[] = {{"svc_purge_changes", "select svc.purge_changes()"},
                             {"svc_purge_accounts", "select svc.purge_accounts()"},
                             {"svc_purge_deleted", "select svc.purge_deleted()"},
                             {"svc_purge_runs", "select svc.purge_runs()"},
                             {"svc_purge_hooks", "select svc.purge_hooks()"},
                             {"svc_purge_notices", "select svc.purge_notices()"},
                             {"svc_purge_ai", "select svc.purge_ai()"},
                             {"svc_purge_files", "select svc.purge_files()"},
                             {"svc_purge_connector_calls", "select svc.purge_connector_calls()"},
                             {"svc_purge_scripts", "select svc.purge_scripts()"}};

// What has piled up while no server ran may take longer than the usual time limit of a statement.
constexpr std::string_view kPatience = "select set_config('statement_timeout', '1h', true)";

// Returns whether there may be more.
Task<bool> purge_part(db::Pool& system, const Purge& what) {
    db::OneText count;
    const db::Command commands[] = {identity::command("svc_purge_patience", kPatience, {}),
                                    identity::command(what.name, what.sql, {}, &count)};
    const db::Outcome outcome = co_await system.run_slow(commands);
    if (outcome.ok) co_return base::number_of(count.text.value_or(""), 0) > 0;
    log::write(log::Level::warning, "purge_failed",
               {{"purge", what.name},
                {"sqlstate", outcome.error().sqlstate},
                {"what", outcome.error().loggable()}});
    co_return false;
}

// Between two parts it rests as long as a part took, so others have the database half of the time.
Task<> purge(db::Pool& system, const Purge& what, asio::steady_timer& timer,
             std::chrono::milliseconds most) {
    const auto begin = Clock::now();
    for (;;) {
        const auto part = Clock::now();
        const bool more = co_await purge_part(system, what);
        const auto now = Clock::now();
        if (!more || now - begin >= most) co_return;
        timer.expires_after(now - part);
        co_await timer.async_wait(asio::use_awaitable);
    }
}

}  // namespace

// The pause comes first: a server is started before the migration that it needs has committed.
Task<> keep_up(asio::io_context& io, db::Pool& system, std::chrono::milliseconds pause) {
    const std::string began = std::to_string(std::time(nullptr));
    const db::Param since[] = {began};
    const db::Command forget = identity::command(
        "svc_forget_coming", "select svc.forget_coming(to_timestamp($1::bigint))", since);
    bool forgotten = false;  // what servers before this one counted
    asio::steady_timer timer(io);
    for (;;) {
        timer.expires_after(pause);
        co_await timer.async_wait(asio::use_awaitable);
        if (!forgotten) forgotten = (co_await system.run({&forget, 1})).ok;
        for (const Purge& each : kPurges) co_await purge(system, each, timer, pause);
    }
}

Task<> keep_keys(asio::io_context& io, db::Pool& system, identity::KeyStore& keys,
                 std::chrono::milliseconds pause) {
    for (;;) {
        asio::steady_timer timer(io, pause);
        co_await timer.async_wait(asio::use_awaitable);
        try {
            co_await keys.reload(system);
        } catch (const std::exception& error) {
            log::write(log::Level::warning, "keys_not_read", {{"what", error.what()}});
        }
    }
}

}  // namespace svc::ops
