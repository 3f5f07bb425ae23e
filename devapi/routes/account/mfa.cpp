// Second factors of the caller's account: an authenticator app with backup codes.
#include "auth/mfa/totp.hpp"
#include "http/fields.hpp"
#include "routes/account/second_factor.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {
namespace {

constexpr const char* kIssuer = "svc";

void show_factors(Context& context, const Request& request, Response& response) {
    const EnrolledFactors enrolled = context.factors.of(request.caller.user_id);
    response.send(200, {{"totp", enrolled.totp},
                        {"backupCodes", enrolled.backup_codes},
                        {"passkeys", enrolled.passkeys},
                        {"shown", request.caller.second_factor}});
}

void start_totp(Context& context, const Request& request, Response& response) {
    if (!may_change_factors(context, request, response)) return;
    if (context.factors.of(request.caller.user_id).totp)
        return response.refuse(Code::conflict,
                               "An authenticator app is already enrolled. Disable it first.");
    if (!shows_again(context, request, response)) return;
    const auto secret = context.factors.begin(request.caller.user_id);
    if (!secret)
        return response.refuse(Code::conflict,
                               "An authenticator app is already enrolled. Disable it first.");
    const std::string url = auth::mfa::otpauth_url(kIssuer, request.caller.email, *secret);
    response.send(200, {{"secret", auth::mfa::base32(*secret)},
                        {"otpauthUrl", url},
                        {"qrSvg", auth::mfa::qr_svg(url)}});
}

// The code of {code}; none: answered.
std::optional<std::string> code_in(const Request& request, Response& response) {
    Fields fields(request);
    std::string code = fields.required_text("code", 1, 40);
    if (!fields.good(response)) return std::nullopt;
    return code;
}

void confirm_totp(Context& context, const Request& request, Response& response) {
    if (!may_change_factors(context, request, response)) return;
    const auto code = code_in(request, response);
    if (!code) return;
    const Caller& caller = request.caller;
    if (!may_try_again(context, request, response)) return;
    const auto codes = auth::mfa::make_backup_codes();
    if (!context.factors.confirm(caller.user_id, caller.credential_id, *code, codes))
        return response.refuse(Code::invalid_code,
                               "The code is wrong, or no enrolment is waiting for it. Start with "
                               "POST /mfa/enroll/start.");
    was_right(context, request);
    response.send(200, {{"backupCodes", codes}});
}

void disable_totp(Context& context, const Request& request, Response& response) {
    const auto code = code_in(request, response);
    if (!code || !takes_code(context, request, *code, response)) return;
    context.factors.remove(request.caller.user_id, request.caller.credential_id);
    response.send(200, {{"disabled", true}});
}

void renew_backup_codes(Context& context, const Request& request, Response& response) {
    const auto code = code_in(request, response);
    if (!code || !takes_code(context, request, *code, response)) return;
    const auto codes = auth::mfa::make_backup_codes();
    context.factors.replace_backup_codes(request.caller.user_id, codes);
    response.send(200, {{"backupCodes", codes}});
}

}  // namespace

void bind_mfa(RouteTable& table) {
    table.add({"GET", "/mfa", Need::session, Role::viewer, show_factors});
    table.add({"POST", "/mfa/enroll/start", Need::session, Role::viewer, start_totp});
    table.add({"POST", "/mfa/enroll/confirm", Need::session, Role::viewer, confirm_totp});
    table.add({"POST", "/mfa/disable", Need::session, Role::viewer, disable_totp});
    table.add(
        {"POST", "/mfa/backup-codes/regenerate", Need::session, Role::viewer, renew_backup_codes});
}

}  // namespace svc::devapi
