#include "file/file_context.hpp"

#include "data/db_error.hpp"

namespace svc::file {

using identity::refusal;
using route::Done;
using route::Handled;
using route::Request;

Handled refuse(http::Exchange& exchange, const identity::Refusal& refusal) {
    exchange.reply().body.clear();
    identity::refuse(exchange.reply(), refusal);
    return Handled::answered;
}

Handled refuse(http::Exchange& exchange, Code code, std::string message) {
    return refuse(exchange, refusal(code, std::move(message)));
}

namespace {

std::optional<Handled> how_it_ended(http::Exchange& exchange, const db::Outcome& outcome) {
    if (outcome.ok) return std::nullopt;
    if (data::session_ended(outcome)) return Handled::session_ended;
    return refuse(exchange, refusal(outcome));
}

}  // namespace

Task<std::optional<Handled>> run_as(const FileContext& in, http::Exchange& exchange,
                                    const Caller& caller, db::Command command) {
    const IdentityCommand identity_command(caller);
    const db::Command commands[] = {identity_command.command(), command};
    const db::Outcome outcome = co_await in.data.run(commands);
    co_return how_it_ended(exchange, outcome);
}

Task<std::optional<Handled>> read_as(const FileContext& in, http::Exchange& exchange,
                                     const Caller& caller, db::Command command) {
    const IdentityCommand identity_command(caller);
    const db::Command commands[] = {identity_command.command(), command};
    const db::Outcome outcome = co_await in.data.read(commands);
    co_return how_it_ended(exchange, outcome);
}

identity::Result<void> check_uploader(const FileContext& in, const Caller& caller, bool counted) {
    if (in.root.empty())
        return refusal(Code::unavailable,
                       "This server has no folder for files. Set SVC_FILES, or run it by svcd.");
    if (!caller.user)
        return refusal(Code::unauthorized, "Sign in first: a file belongs to an account.");
    if (counted) return {};
    const unsigned wait = in.shared.uploads.take(caller.user->id);
    if (wait == 0) return {};
    auto full = refusal(Code::rate_limited, "Too many uploads. Wait a moment and try again.");
    full.retry_after = wait;
    return full;
}

route::Handler as_caller(const FileContext& in, Act act) {
    return [&in, act](Request& request) -> Task<Done> {
        const auto as = [&in, &request, act](const Caller& caller) {
            return act(in, request, caller);
        };
        co_return co_await route::as_caller(in.callers, request, as);
    };
}

std::string in_words(std::uint64_t bytes) {
    for (const auto& [unit, shift] : {std::pair{" GB", 30U}, {" MB", 20U}, {" KB", 10U}})
        if (bytes != 0 && bytes % (1ULL << shift) == 0)
            return std::to_string(bytes >> shift) + unit;
    return std::to_string(bytes) + " bytes";
}

}  // namespace svc::file
