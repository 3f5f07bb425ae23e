#include "service/migrations.hpp"

#include <functional>
#include <optional>

#include "base/sha256.hpp"
#include "data/sql/raw_body.hpp"
#include "http/request/params.hpp"
#include "identity/credentials.hpp"
#include "identity/key/gate.hpp"
#include "log/log.hpp"
#include "ops/cors.hpp"
#include "platform/log_words.hpp"

namespace svc::devapi {
namespace {

// A store as in an app server, with one key or none.
identity::KeyStore store_of(const http::Head& head, const std::string& project,
                            const Directory& directory) {
    const std::string_view value = identity::bearer(head);
    const auto keyed = directory.by_key(value);
    if (!keyed || keyed->project != project) return identity::KeyStore();
    auto key = std::make_shared<AppKey>();
    key->id = keyed->id;
    key->kind = keyed->kind;
    key->origins = keyed->origins;
    identity::KeyStore::Entries entries;
    entries[base::sha256(value)] = {std::move(key), std::nullopt};
    return identity::KeyStore(std::move(entries));
}

std::optional<Error> add_tables(Context& context, const ProjectRef& project,
                                std::string_view body) {
    const auto parsed = data::sql::read_raw_body(body);
    if (!parsed) return parsed.error();
    if (!parsed->params.empty())
        return data::bad_params("Statements that add tables may not have parameters.", "params");
    return context.apps.add_unmanaged_tables(project, parsed->sql);
}

void try_to_add(Context& context, const ProjectRef& project, std::string_view body,
                std::optional<Error>& error) noexcept {
    try {
        error = add_tables(context, project, body);
    } catch (const std::exception& failure) {
        log::write(log::Level::error, "migration_failed",
                   {{"project", project.id}, {"what", log_words(failure)}});
        error = Error{Code::unavailable, "The database cannot be reached right now. Try again."};
    }
}

// Why the request adds no tables here; nothing: it may.
std::optional<Error> unfit_migration(const http::Head& head, Env env) {
    if (auto unknown = http::check_params(head.query, {})) return unknown;
    if (env != Env::dev)
        return data::bad_params(
            "Tables can be added only in the environment dev. Deploy to bring them to prod.");
    if (!head.header("idempotency-key").empty())
        return data::bad_params("/data/migrate does not take the header Idempotency-Key.");
    return std::nullopt;
}

}  // namespace

identity::Budget& Migrations::budget(const std::string& project) {
    auto& held = budgets_[project];
    const Config& config = context_.config;
    if (!held) held = std::make_unique<identity::Budget>(config.rate_browser, config.rate_server);
    return *held;
}

Task<std::optional<Error>> Migrations::add(std::string_view body, const std::string& project) {
    std::optional<Error> error;
    const auto known = context_.directory.by_id(project);
    const std::function<void()> job =
        std::bind_front(try_to_add, std::ref(context_), known.value_or(ProjectRef{project, ""}),
                        body, std::ref(error));
    // Its key identifies the project, but not the account.
    const LongCalls::Owner owner{project, project};
    const bool entered = co_await long_calls_.enter(owner);
    if (entered) {
        const LongCalls::Slot slot(long_calls_, owner);
        co_await workers_.run(job);
    } else {
        error =
            Error{Code::unavailable, "Another migration of this project is running. Try again."};
    }
    co_return error;
}

Task<> Migrations::answer(http::Exchange& exchange, const Target& target) {
    const http::Head& head = exchange.head();
    const identity::KeyStore keys = store_of(head, target.project, context_.directory);
    identity::Gate gate(keys, budget(target.project), target.env);
    const auto key = gate.enter(head, identity::Marker::needed);
    const auto allowed =
        key ? identity::check_server_key(head, **key) : identity::Result<void>(key.error());
    std::optional<Error> error;
    if (!allowed) {
        identity::refuse(exchange.reply(), allowed.error());
    } else {
        error = unfit_migration(head, target.env);
        if (!error) error = co_await add(exchange.body(), target.project);
    }
    if (error)
        http::fail(exchange.reply(), *error);
    else if (allowed)
        exchange.reply().body =
            R"({"ok":true,"rows":[],"rowCount":0,"fields":[],"truncated":false})";
    ops::answer_origin(exchange, keys, key ? key->get() : nullptr);
}

}  // namespace svc::devapi
