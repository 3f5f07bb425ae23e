#include "cli/confirmed.hpp"

#include <CLI/CLI.hpp>

namespace svc::cli {
namespace {

using json = nlohmann::json;

bool needs_session(const Reply& reply) {
    return text_of(json::parse(reply.body, nullptr, false), "code") == "SESSION_REQUIRED";
}

}  // namespace

void take_sign_in(CLI::App* command, SignIn& sign_in) {
    command->add_option("--email", sign_in.email,
                        "Address of the account (default: the account that is signed in)");
    command->add_option("--password", sign_in.password,
                        "The password; - reads it from standard input; asked for on a terminal");
    command->add_option("--code", sign_in.code,
                        "The code of the second factor; - reads it from standard input");
}

std::optional<json> send_confirmed(CliContext& context, const SignIn& sign_in,
                                   const std::string& what, const Request& request) {
    const Reply reply = context.call(what, request);
    if (!needs_session(reply)) return context.accept(reply);
    const BuilderSession builder(context, sign_in);
    if (!builder) return std::nullopt;
    return context.accept(builder.call(what, request));
}

}  // namespace svc::cli
