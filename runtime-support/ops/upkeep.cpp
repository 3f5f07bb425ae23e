#include "ops/upkeep.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <ctime>
#include <string>

#include "identity/command.hpp"
#include "log/log.hpp"

namespace svc::ops {

// The pause comes first: a server is started before the migration that it needs has committed.
Task<> keep_up(asio::io_context& io, db::Pool& system, std::chrono::milliseconds pause) {
    const std::string began = std::to_string(std::time(nullptr));
    const db::Param since[] = {began};
    const db::Command forget = identity::command(
        "svc_forget_coming", "select svc.forget_coming(to_timestamp($1::bigint))", since);
    bool forgotten = false;  // what servers before this one counted
    for (;;) {
        asio::steady_timer timer(io, pause);
        co_await timer.async_wait(asio::use_awaitable);
        if (!forgotten) forgotten = (co_await system.run({&forget, 1})).ok;
        const db::Command purge = identity::command(
            "svc_purge",
            "select svc.purge_changes(), svc.purge_accounts(), svc.purge_deleted(),"
            " svc.purge_runs(), svc.purge_hooks(), svc.purge_notices(), svc.purge_ai(),"
            " svc.purge_files(), svc.purge_connector_calls(), svc.purge_scripts()",
            {});
        const db::Outcome outcome = co_await system.run({&purge, 1});
        if (!outcome.ok) {
            log::write(
                log::Level::warning, "purge_failed",
                {{"sqlstate", outcome.error().sqlstate}, {"what", outcome.error().loggable()}});
        }
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
