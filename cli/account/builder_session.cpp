#include "cli/account/builder_session.hpp"

#include <utility>

#include "cli/account/ask.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

// The text from the options, or as typed. Nothing: an error was shown.
std::optional<std::string> given_or_asked(const CliContext& context, const std::string& given,
                                          const char* question, const std::string& otherwise) {
    if (!given.empty()) return secret_of(given);
    auto answer = ask(question, true);
    if (!answer) context.refuse(otherwise, "BAD_REQUEST");
    return answer;
}

bool takes_codes(const json& answer) {
    for (const json& method : answer.value("methods", json::array()))
        if (method == "totp") return true;
    return false;
}

std::optional<json> posted(CliContext& context, const char* path, const json& body) {
    const Reply reply =
        context.call_as("", "Signing in", {.method = "POST", .path = path, .body = body.dump()});
    if (!reply.ok()) {
        context.show_refusal(reply, false);
        return std::nullopt;
    }
    return json::parse(reply.body, nullptr, false);
}

std::optional<json> show_code(CliContext& context, const json& asked, const SignIn& wanted) {
    if (!takes_codes(asked)) {
        context.refuse(
            "This account signs in with a passkey. Use svc login on a machine with a browser.",
            "MFA_REQUIRED");
        return std::nullopt;
    }
    const auto code =
        given_or_asked(context, wanted.code, "Code of the authenticator app, or a backup code",
                       "This account has a second factor. Give --code, or --code - to read the "
                       "code from standard input.");
    if (!code) return std::nullopt;
    return posted(context, "/session/mfa",
                  {{"pending", text_of(asked, "pending")}, {"code", *code}});
}

std::string saved_email(CliContext& context) {
    const Reply reply = context.call("Asking", {.path = "/me"});
    return reply.ok() ? text_of(json::parse(reply.body, nullptr, false), "email") : "";
}

}  // namespace

std::optional<json> sign_in(CliContext& context, const SignIn& wanted) {
    auto answer =
        posted(context, "/session", {{"email", wanted.email}, {"password", wanted.password}});
    if (!answer || !answer->is_object() || !answer->value("needsMfa", false)) return answer;
    return show_code(context, *answer, wanted);
}

BuilderSession::BuilderSession(CliContext& context, SignIn wanted)
    : context_(context), sign_in_(std::move(wanted)) {
    if (sign_in_.email.empty()) sign_in_.email = saved_email(context);
    if (sign_in_.email.empty()) {
        context.refuse("This needs an account. Give --email, or sign in first.", "UNAUTHENTICATED");
        return;
    }
    const auto password =
        given_or_asked(context, sign_in_.password, ("Password of " + sign_in_.email).c_str(),
                       "This needs the password. Give --password -, which reads it from standard "
                       "input.");
    if (!password) return;
    sign_in_.password = *password;
    if (const auto answer = sign_in(context, sign_in_)) token_ = text_of(*answer, "token");
}

BuilderSession::~BuilderSession() {
    if (!token_.empty())
        (void)context_.call_as(token_, "Signing out", {.method = "DELETE", .path = "/session"});
}

Reply BuilderSession::call(const std::string& what, const Request& request) const {
    return context_.call_as(token_, what, request);
}

}  // namespace svc::cli
