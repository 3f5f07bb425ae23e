// mfa: the second factor of the user's account. No token may do this: each command asks for the
// password.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "cli/account/ask.hpp"
#include "cli/account/builder_session.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

struct MfaRequest {
    SignIn sign_in;
    std::string next;  // another code: the one of the sign-in was used by it
};

std::optional<json> changed(CliContext& context, const BuilderSession& builder, const char* path,
                            const json& body) {
    return context.accept(
        builder.call("Asking", {.method = "POST", .path = path, .body = body.dump()}));
}

void print_codes(const json& answer) {
    print("Backup codes. Each works once. Store them now; they are not shown again.\n");
    for (const json& code : answer.value("backupCodes", json::array()))
        if (code.is_string()) print("  " + code.get<std::string>() + "\n");
}

int show_mfa(CliContext& context, const MfaRequest& wanted) {
    const BuilderSession builder(context, wanted.sign_in);
    if (!builder) return kRefused;
    const auto answer = context.accept(builder.call("Asking", {.path = "/mfa"}));
    if (!answer) return kRefused;
    if (context.wants_json()) return kDone;
    const bool totp = answer->value("totp", false);
    print(totp ? "Authenticator app: enrolled, " + std::to_string(answer->value("backupCodes", 0)) +
                     " backup codes left\n"
               : "Authenticator app: none\n");
    print("Passkeys: " + std::to_string(answer->value("passkeys", 0)) + "\n");
    return kDone;
}

int enrol(CliContext& context, const MfaRequest& wanted) {
    const BuilderSession builder(context, wanted.sign_in);
    if (!builder) return kRefused;
    const auto begun =
        changed(context, builder, "/mfa/enroll/start", {{"password", builder.password()}});
    if (!begun) return kRefused;
    if (!context.wants_json())
        print("Add one of these to an authenticator app, the secret or the address:\n  " +
              text_of(*begun, "secret") + "\n  " + text_of(*begun, "otpauthUrl") + "\n");
    std::fflush(stdout);
    // A program without a terminal makes the code from the printed secret.
    const std::string code = ask("Code that the app shows", false).value_or("");
    const auto confirmed = changed(context, builder, "/mfa/enroll/confirm",
                                   {{"code", code.empty() ? secret_of("-") : code}});
    if (!confirmed) return kRefused;
    if (context.wants_json()) return kDone;
    print("The second factor is on. Other sessions of this account have ended.\n");
    print_codes(*confirmed);
    return kDone;
}

// The second code of a command; empty: said so.
std::string next_code(const CliContext& context, const MfaRequest& wanted) {
    if (!wanted.next.empty()) return secret_of(wanted.next);
    const auto code =
        ask("Another code, because each works once: the next one, or a backup code", true);
    if (!code)
        context.refuse("This needs a second code, because each code works once. Give --next.",
                       "BAD_REQUEST");
    return code.value_or("");
}

int disable(CliContext& context, const MfaRequest& wanted) {
    const BuilderSession builder(context, wanted.sign_in);
    if (!builder) return kRefused;
    const std::string code = next_code(context, wanted);
    if (code.empty()) return kRefused;
    if (!changed(context, builder, "/mfa/disable", {{"code", code}})) return kRefused;
    if (!context.wants_json())
        print("The authenticator app is removed, and its backup codes no longer work.\n");
    return kDone;
}

int renew_codes(CliContext& context, const MfaRequest& wanted) {
    const BuilderSession builder(context, wanted.sign_in);
    if (!builder) return kRefused;
    const std::string code = next_code(context, wanted);
    if (code.empty()) return kRefused;
    const auto answer = changed(context, builder, "/mfa/backup-codes/regenerate", {{"code", code}});
    if (!answer) return kRefused;
    if (!context.wants_json()) print_codes(*answer);
    return kDone;
}

void with_sign_in(CLI::App* command, MfaRequest& wanted) {
    command->add_option("--email", wanted.sign_in.email,
                        "Address of the account (default: the account that is signed in)");
    command->add_option("--password", wanted.sign_in.password, "Its password; - reads it");
    command->add_option("--code", wanted.sign_in.code,
                        "The code of the enrolled second factor; - reads it from standard input");
}

}  // namespace

void add_mfa_commands(CLI::App& app, Action& chosen) {
    auto* family = app.add_subcommand("mfa", "Manage the second factor of your own account");
    family->require_subcommand(0, 1)->fallthrough();
    auto wanted = std::make_shared<MfaRequest>();
    with_sign_in(family, *wanted);
    family->callback([&chosen, wanted] {
        if (!chosen) chosen = [wanted](CliContext& context) { return show_mfa(context, *wanted); };
    });
    const auto add = [&](const char* name, const char* about,
                         int (*run)(CliContext&, const MfaRequest&)) {
        auto* command = family->add_subcommand(name, about);
        command->fallthrough()->callback([&chosen, wanted, run] {
            chosen = [wanted, run](CliContext& context) { return run(context, *wanted); };
        });
        with_sign_in(command, *wanted);
        return command;
    };
    add("status", "Show what is enrolled", show_mfa);
    add("enroll", "Enrol an authenticator app: show its secret, then ask for a code", enrol);
    for (auto* command :
         {add("disable", "Remove the authenticator app", disable),
          add("codes", "Make ten new backup codes; the old ones stop working", renew_codes)})
        command->add_option(
            "--next", wanted->next,
            "A second code, because each works once; - reads it from standard input");
}

}  // namespace svc::cli
