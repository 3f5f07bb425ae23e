// A link for the owner of an address. Its token and its mail are written together. For an address
// without an account the same work is done, so neither the answer nor its time shows whether there
// is an account.
#pragma once

#include <string_view>

#include "auth/context.hpp"
#include "auth/link/link_token.hpp"
#include "auth/link/mail.hpp"

namespace svc::auth::link {

struct LinkKind {
    TokenPurpose purpose;
    MailKind mail;
    std::string_view path;  // that the link leads to, below /__svc
    unsigned seconds;       // how long it holds
    bool unverified_only = false;
};

inline constexpr LinkKind kVerifyLink{TokenPurpose::verify, MailKind::verify,
                                      "/auth/verify/confirm", 86400, true};
inline constexpr LinkKind kResetLink{TokenPurpose::reset, MailKind::reset, "/auth/set-password",
                                     3600};
inline constexpr LinkKind kMagicLink{TokenPurpose::magic, MailKind::magic, "/auth/magic/consume",
                                     900};
inline constexpr LinkKind kInviteLink{TokenPurpose::invite, MailKind::invite, "/auth/set-password",
                                      3600};
// In an app without passwords the same links let their owner in, once.
inline constexpr LinkKind kInviteInLink{TokenPurpose::magic, MailKind::invite_in,
                                        "/auth/magic/consume", 3600};

// What a mailed link does for a user whose account somebody else made, or who can no longer sign
// in.
enum class Entry : std::uint8_t {
    password,  // chooses one
    sign_in,   // signs in: the app has no passwords
    none,      // people come by providers alone
};
Entry entry_of(const Auth& auth);
// "This app does not sign in with passwords."
identity::Refusal no_passwords();

// Counts a mail to this address, asked for from this client.
identity::Result<void> take_mail(const Call& call, std::string_view email);

// `email` normalised.
Task<Done> mail_link(const Call& call, const LinkKind& kind, std::string_view email);

}  // namespace svc::auth::link
