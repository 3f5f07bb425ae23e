#include "file/sweep.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "identity/command.hpp"
#include "json/formats.hpp"
#include "log/log.hpp"
#include "outgoing/off_thread.hpp"

namespace svc::file {
namespace {

using Names = std::vector<std::string>;

// Of a stored file that was never renamed: a server was killed in between.
constexpr std::string_view kStoredParts = "select svc.stored_parts($1::text[])";

constexpr std::string_view kForgotten = "select svc.forgotten_files()";
constexpr std::string_view kForget = "select svc.forget_files($1::uuid[])";

struct Listing {
    std::string root;
    Names operator()() const {
        try {
            return old_parts(root);
        } catch (const std::exception&) {
            return {};  // the folder changes while it is read: the next time does it
        }
    }
};

struct Clearing {
    std::string root;
    Names parts, stored;
    bool operator()() const {
        try {
            for (const std::string& part : stored)
                place(root, part.substr(0, part.find('.')), part);
            for (const std::string& part : parts) remove_part(root, part);
            return true;
        } catch (const std::exception& error) {
            log::write(log::Level::warning, "files_not_swept", {{"what", error.what()}});
            return false;
        }
    }
};

struct Forgetting {
    std::string root;
    Names ids;
    bool operator()() const {
        for (const std::string& id : ids) remove_stored(root, id);
        return true;
    }
};

// The bytes first: whoever is killed in between does it again.
Task<> forget(const Filing& in) {
    Texts ids;
    const db::Command which = identity::command("svc_forgotten_files", kForgotten, {}, &ids);
    const db::Outcome found = co_await in.system.run({&which, 1});
    if (!found.ok || ids.values.empty()) co_return;
    const std::string list = json::array_literal(ids.values);
    Forgetting forgetting{in.root, std::move(ids.values)};
    co_await outgoing::off_thread(in.shared.threads.pool(), std::move(forgetting));
    const db::Param params[] = {list};
    const db::Command command = identity::command("svc_forget_files", kForget, params);
    co_await in.system.run({&command, 1});
}

Task<> sweep_once(const Filing& in) {
    asio::thread_pool& pool = in.shared.threads.pool();
    Listing listing{in.root};
    Names parts = co_await outgoing::off_thread(pool, std::move(listing));
    if (parts.empty()) co_return;
    Texts stored;
    const std::string list = json::array_literal(parts);
    const db::Param params[] = {list};
    const db::Command command =
        identity::command("svc_stored_parts", kStoredParts, params, &stored);
    const db::Outcome outcome = co_await in.system.run({&command, 1});
    if (!outcome.ok) co_return;
    Clearing clearing{in.root, std::move(parts), std::move(stored.values)};
    co_await outgoing::off_thread(pool, std::move(clearing));
}

}  // namespace

Task<> sweep(asio::io_context& io, const Filing& in, std::chrono::milliseconds pause) {
    for (;;) {
        asio::steady_timer timer(io, pause);
        co_await timer.async_wait(asio::use_awaitable);
        co_await sweep_once(in);
        co_await forget(in);
    }
}

}  // namespace svc::file
