// mfa: the second factor of one's own account. No token may do this: each asks for the password.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "cli/ask.hpp"
#include "cli/builder_session.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"

namespace svc::cli {
namespace {

using json = nlohmann::json;

struct MfaWish {
    SignIn sign_in;
    std::string next;  // another code: the one of the sign-in was used by it
};

std::optional<json> changed(Session& session, const BuilderSession& builder, const char* path,
                            const json& body) {
    return session.accept(
        builder.call("Asking", {.method = "POST", .path = path, .body = body.dump()}));
}

void print_codes(const json& answer) {
    print("Backup codes, each good once. Keep them now: they are not shown again.\n");
    for (const json& code : answer.value("backupCodes", json::array()))
        if (code.is_string()) print("  " + code.get<std::string>() + "\n");
}

int show_mfa(Session& session, const MfaWish& wish) {
    const BuilderSession builder(session, wish.sign_in);
    if (!builder) return kRefused;
    const auto answer = session.accept(builder.call("Asking", {.path = "/mfa"}));
    if (!answer) return kRefused;
    if (session.wants_json()) return kDone;
    const bool totp = answer->value("totp", false);
    print(totp ? "Authenticator app: enrolled, " + std::to_string(answer->value("backupCodes", 0)) +
                     " backup codes left\n"
               : "Authenticator app: none\n");
    print("Passkeys: " + std::to_string(answer->value("passkeys", 0)) + "\n");
    return kDone;
}

int enrol(Session& session, const MfaWish& wish) {
    const BuilderSession builder(session, wish.sign_in);
    if (!builder) return kRefused;
    const auto begun =
        changed(session, builder, "/mfa/enroll/start", {{"password", builder.password()}});
    if (!begun) return kRefused;
    if (!session.wants_json())
        print("Add this to an authenticator app, by its secret or its address:\n  " +
              text_of(*begun, "secret") + "\n  " + text_of(*begun, "otpauthUrl") + "\n");
    std::fflush(stdout);
    // Whoever drives this without a terminal makes the code of what was just printed.
    const std::string code = ask("Code that it shows", false).value_or("");
    const auto confirmed = changed(session, builder, "/mfa/enroll/confirm",
                                   {{"code", code.empty() ? secret_of("-") : code}});
    if (!confirmed) return kRefused;
    if (session.wants_json()) return kDone;
    print("The second factor is on. Other sessions of this account have ended.\n");
    print_codes(*confirmed);
    return kDone;
}

// The second code of a command; empty: said so.
std::string next_code(const Session& session, const MfaWish& wish) {
    if (!wish.next.empty()) return secret_of(wish.next);
    const auto code = ask("Another code (each is good once): the next one, or a backup code", true);
    if (!code)
        session.refuse("This asks for another code, since each is good once. Give --next.",
                       "BAD_REQUEST");
    return code.value_or("");
}

int disable(Session& session, const MfaWish& wish) {
    const BuilderSession builder(session, wish.sign_in);
    if (!builder) return kRefused;
    const std::string code = next_code(session, wish);
    if (code.empty()) return kRefused;
    if (!changed(session, builder, "/mfa/disable", {{"code", code}})) return kRefused;
    if (!session.wants_json())
        print("The authenticator app is off, and its backup codes are gone.\n");
    return kDone;
}

int renew_codes(Session& session, const MfaWish& wish) {
    const BuilderSession builder(session, wish.sign_in);
    if (!builder) return kRefused;
    const std::string code = next_code(session, wish);
    if (code.empty()) return kRefused;
    const auto answer = changed(session, builder, "/mfa/backup-codes/regenerate", {{"code", code}});
    if (!answer) return kRefused;
    if (!session.wants_json()) print_codes(*answer);
    return kDone;
}

void with_sign_in(CLI::App* command, MfaWish& wish) {
    command->add_option("--email", wish.sign_in.email, "Whose; without it, whose sign-in is saved");
    command->add_option("--password", wish.sign_in.password, "Its password; - reads it");
    command->add_option("--code", wish.sign_in.code,
                        "Code of the factor that is enrolled; - reads it");
}

}  // namespace

void add_mfa_commands(CLI::App& app, Action& chosen) {
    auto* family = app.add_subcommand("mfa", "The second factor of your own account");
    family->require_subcommand(0, 1)->fallthrough();
    auto wish = std::make_shared<MfaWish>();
    with_sign_in(family, *wish);
    family->callback([&chosen, wish] {
        if (!chosen) chosen = [wish](Session& session) { return show_mfa(session, *wish); };
    });
    const auto add = [&](const char* name, const char* about,
                         int (*run)(Session&, const MfaWish&)) {
        auto* command = family->add_subcommand(name, about);
        command->fallthrough()->callback([&chosen, wish, run] {
            chosen = [wish, run](Session& session) { return run(session, *wish); };
        });
        with_sign_in(command, *wish);
        return command;
    };
    add("status", "What is enrolled", show_mfa);
    add("enroll", "Enrol an authenticator app; shows its secret, then asks for a code", enrol);
    for (auto* command : {add("disable", "Take the authenticator app off", disable),
                          add("codes", "Ten new backup codes; the old ones end", renew_codes)})
        command->add_option("--next", wish->next,
                            "A second code, as each is good once; - reads it");
}

}  // namespace svc::cli
