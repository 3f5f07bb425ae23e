#include "file/sweep.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <functional>
#include <optional>
#include <unordered_set>

#include "base/formats.hpp"
#include "file/disk/abandoned.hpp"
#include "identity/command.hpp"
#include "json/formats.hpp"
#include "log/log.hpp"
#include "outgoing/off_thread.hpp"

namespace svc::file {
namespace {

using Names = std::vector<std::string>;

// Finds stored files that were never renamed, as a server was killed in between, and uploads that
// their clients may still finish.
constexpr std::string_view kKnownParts =
    "select part, stored from svc.known_parts($1::uuid[], $2::text[])";

constexpr std::string_view kForgotten = "select id::text, part from svc.files_to_forget()";
constexpr std::string_view kForget = "select svc.forget_files($1::uuid[])";
constexpr std::string_view kFold = "select svc.fold_file_sums()";

struct ListJob {
    std::string root;
    LeftParts operator()() const {
        try {
            return left_parts(root);
        } catch (const std::exception&) {
            return {};  // the folder changes while it is read: the next time does it
        }
    }
};

std::string id_of(const std::string& part) { return part.substr(0, part.find('.')); }

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
    Names parts;
    Names known;  // pairs of a part and "t" if it is stored
    bool operator()() const {
        std::unordered_set<std::string_view> kept;
        for (std::size_t i = 0; i + 1 < known.size(); i += 2) {
            const std::string& part = known[i];
            kept.insert(part);
            if (known[i + 1] == "t" && !done([&] { store.settle_late(id_of(part), part); }))
                return false;
        }
        for (const std::string& part : parts)
            if (!kept.contains(part) && !done([&] { store.drop(part); })) return false;
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

// Nothing: PostgreSQL does not answer.
Task<std::optional<Names>> known_parts(const FileContext& in, const Names& parts) {
    Names ids, named;
    for (const std::string& part : parts) {
        if (!base::is_uuid(id_of(part))) continue;
        ids.push_back(id_of(part));
        named.push_back(part);
    }
    TextColumns known(2);
    const std::string of = json::array_literal(ids), list = json::array_literal(named);
    const db::Param params[] = {of, list};
    const db::Command command = identity::command("svc_known_parts", kKnownParts, params, &known);
    const db::Outcome outcome = co_await in.system.run({&command, 1});
    if (!outcome.ok) co_return std::nullopt;
    co_return std::move(known.values);
}

Task<> sweep_once(const FileContext& in, Abandoned& abandoned) {
    ListJob listing{in.root};
    LeftParts left = co_await outgoing::off_thread(in.shared.threads.pool(), std::move(listing));
    Names parts = abandoned.among(left.free, Abandoned::Clock::now());
    parts.insert(parts.end(), left.old.begin(), left.old.end());
    if (parts.empty()) co_return;
    auto known = co_await known_parts(in, parts);
    if (!known) co_return;
    ClearJob clearing{*in.shared.store, std::move(parts), std::move(*known)};
    co_await outgoing::off_thread(store_pool(in), std::move(clearing));
}

// A statement of its own, because it locks what uploads of an app with quotas wait for.
Task<> fold_sums(const FileContext& in) {
    const db::Command command = identity::command("svc_fold_file_sums", kFold, {});
    co_await in.system.run({&command, 1});
}

}  // namespace

Task<> sweep(asio::io_context& io, const FileContext& in, std::chrono::milliseconds pause) {
    Abandoned abandoned;
    for (;;) {
        co_await sweep_once(in, abandoned);
        co_await forget(in);
        co_await fold_sums(in);
        asio::steady_timer timer(io, pause);
        co_await timer.async_wait(asio::use_awaitable);
    }
}

}  // namespace svc::file
