#include "file/sweep.hpp"

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <functional>

#include "identity/command.hpp"
#include "json/formats.hpp"
#include "log/log.hpp"
#include "outgoing/off_thread.hpp"

namespace svc::file {
namespace {

using Names = std::vector<std::string>;

// Finds stored files that were never renamed: a server was killed in between.
constexpr std::string_view kStoredParts = "select svc.stored_parts($1::text[])";

constexpr std::string_view kForgotten = "select id::text, part from svc.files_to_forget()";
constexpr std::string_view kForget = "select svc.forget_files($1::uuid[])";
constexpr std::string_view kFold = "select svc.fold_file_sums()";

struct ListJob {
    std::string root;
    Names operator()() const {
        try {
            return old_parts(root);
        } catch (const std::exception&) {
            return {};  // the folder changes while it is read: the next time does it
        }
    }
};

// A failure does not stop the others: the next sweep tries it again.
bool done(const std::function<void()>& act) {
    try {
        act();
        return true;
    } catch (const std::exception& error) {
        log::write(log::Level::warning, "files_not_swept", {{"what", error.what()}});
        return false;
    }
}

struct ClearJob {
    ByteStore& store;
    Names parts, stored;
    bool operator()() const {
        for (const std::string& part : stored)
            if (!done([&] { store.settle_late(part.substr(0, part.find('.')), part); }))
                return false;
        for (const std::string& part : parts) {
            const bool kept = std::ranges::find(stored, part) != stored.end();
            if (!kept && !done([&] { store.drop(part); })) return false;
        }
        return true;
    }
};

// Finds which pairs of id and part are gone.
struct ForgetJob {
    ByteStore& store;
    Names files;
    Names operator()() const {
        Names gone;
        for (std::size_t i = 0; i + 1 < files.size(); i += 2) {
            if (!done([&] { store.remove(files[i], files[i + 1]); })) break;
            gone.push_back(files[i]);
        }
        return gone;
    }
};

asio::thread_pool& store_pool(const FileContext& in) {
    return in.shared.store->threads(in.shared.threads).pool();
}

// The bytes first: whoever is killed in between does it again.
Task<> forget(const FileContext& in) {
    TextColumns files(2);
    const db::Command which = identity::command("svc_forgotten_files", kForgotten, {}, &files);
    const db::Outcome found = co_await in.system.run({&which, 1});
    if (!found.ok || files.values.empty()) co_return;
    ForgetJob forgetting{*in.shared.store, std::move(files.values)};
    const Names gone = co_await outgoing::off_thread(store_pool(in), std::move(forgetting));
    if (gone.empty()) co_return;
    const std::string list = json::array_literal(gone);
    const db::Param params[] = {list};
    const db::Command command = identity::command("svc_forget_files", kForget, params);
    co_await in.system.run({&command, 1});
}

Task<> sweep_once(const FileContext& in) {
    ListJob listing{in.root};
    Names parts = co_await outgoing::off_thread(in.shared.threads.pool(), std::move(listing));
    if (parts.empty()) co_return;
    TextColumns stored;
    const std::string list = json::array_literal(parts);
    const db::Param params[] = {list};
    const db::Command command =
        identity::command("svc_stored_parts", kStoredParts, params, &stored);
    const db::Outcome outcome = co_await in.system.run({&command, 1});
    if (!outcome.ok) co_return;
    ClearJob clearing{*in.shared.store, std::move(parts), std::move(stored.values)};
    co_await outgoing::off_thread(store_pool(in), std::move(clearing));
}

// By itself: it locks what uploads of an app with quotas wait for.
Task<> fold_sums(const FileContext& in) {
    const db::Command command = identity::command("svc_fold_file_sums", kFold, {});
    co_await in.system.run({&command, 1});
}

}  // namespace

Task<> sweep(asio::io_context& io, const FileContext& in, std::chrono::milliseconds pause) {
    for (;;) {
        co_await sweep_once(in);
        co_await forget(in);
        co_await fold_sums(in);
        asio::steady_timer timer(io, pause);
        co_await timer.async_wait(asio::use_awaitable);
    }
}

}  // namespace svc::file
