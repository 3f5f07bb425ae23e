#include "auth/account/admin_change.hpp"

#include "auth/account_store.hpp"
#include "auth/email.hpp"
#include "auth/link/mailed_link.hpp"
#include "auth/messages.hpp"
#include "base/utf8.hpp"
#include "identity/user/personas.hpp"

namespace svc::auth::account {
namespace {

db::Param flag_param(std::optional<bool> flag) {
    if (!flag) return std::nullopt;
    return *flag ? "true" : "false";
}

}  // namespace

identity::Result<void> read_change(const Context& in, const Members& body, AccountChange& out) {
    if (const auto found = body.texts.find("email"); found != body.texts.end()) {
        const auto email = normalised_email(found->second);
        if (!email) return identity::refusal(Code::invalid_email, kInvalidEmail, "email");
        out.email_value = *email;
        out.email = out.email_value;
    }
    if (const auto found = body.texts.find("name"); found != body.texts.end()) {
        if (base::characters(found->second) > kLongestPersonName)
            return identity::refusal(Code::params_invalid, kNameTooLong, "name");
        out.name = found->second;
    }
    if (const auto found = body.texts.find("role"); found != body.texts.end()) {
        if (!identity::find_persona(in.app, found->second))
            return identity::refusal(Code::invalid_role, "This app has no such role.", "role");
        out.role = found->second;
    }
    out.admin = flag_param(body.flag("isAdmin"));
    out.disabled = flag_param(body.flag("disabled"));
    return {};
}

identity::Refusal email_taken() {
    return identity::refusal(Code::email_taken, kEmailTaken, "email");
}

Task<Done> mail_invitation(const Call& call, std::string_view email) {
    const link::Entry entry = link::entry_of(call.in.app.auth);
    if (entry == link::Entry::none) co_return Done();
    co_return co_await link::mail_link(
        call, entry == link::Entry::password ? link::kInviteLink : link::kInviteInLink, email);
}

}  // namespace svc::auth::account
