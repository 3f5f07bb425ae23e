// The app itself, its personas and accounts.
#include "base/own_mail.hpp"
#include "contract/keys/key_shapes.hpp"

namespace svc::contract {
namespace {

using base::OwnMail;

using enum KeyKind;

constexpr std::string_view kPersonaKinds[] = {"consumer", "staff"};
constexpr std::string_view kMfa[] = {"required"};
constexpr std::string_view kSignupPolicies[] = {"open", "invite_only", "disabled"};

constexpr std::string_view kFonts[] = {"system", "serif", "mono"};
constexpr Key kThemeKeys[] = {
    {"accent", string, "colour of buttons and links, as #rrggbb"},
    {"radius", count, "roundness of corners in pixels, 0 to 20; default 6"},
    {"font", string, "system, serif or mono; default system", kOptional, nullptr, kFonts},
};
constexpr Shape kTheme{"theme", kThemeKeys};

constexpr Key kAppKeys[] = {
    {"name", string, "name of the app", kRequired},
    {"description", string, "purpose of the app"},
    {"timezone", string, "IANA time zone that decides where a day begins; default UTC"},
    {"currency", string, "lower-case ISO 4217 code; default usd"},
    {"locale", string, "language tag; default en"},
    {"theme", object, "colours and shapes of the app's pages", kOptional, &kTheme},
};

constexpr Key kPersonaKeys[] = {
    {"id", identifier, "name of the persona in access lists", kRequired},
    {"kind", string, "staff or consumer", kRequired, nullptr, kPersonaKinds},
    {"label", string, "label that people see"},
    {"signup", flag, "whether people may sign up as this persona"},
    {"extends", strings, "personas whose rights this persona also has"},
    {"mfa", string, "required: its accounts must have a second factor", kOptional, nullptr, kMfa},
};

constexpr Key kPasswordKeys[] = {
    {"min", count, "minimum number of characters, 8 to 128; default 8"},
    {"refuseCommon", flag, "whether common passwords are refused"},
};
constexpr Shape kPassword{"password settings", kPasswordKeys};

constexpr Key kSessionKeys[] = {
    {"idle", duration, "time after which an unused session ends; default 14d"},
    {"max", duration, "time after which every session ends; default 90d"},
};
constexpr Shape kSession{"session settings", kSessionKeys};

constexpr Key kMailKeys[] = {
    {"subject", string, "subject; {app}, {org} and {actor} become their names"},
    {"text", string, "text; {link} becomes the link", kRequired},
};
constexpr Shape kMailText{"mail", kMailKeys};
constexpr Key kMailsKeys[] = {
    {base::word(OwnMail::verify), object, "mail that confirms an address", kOptional, &kMailText},
    {base::word(OwnMail::reset), object, "mail with the link to set a new password", kOptional,
     &kMailText},
    {base::word(OwnMail::magic), object, "mail with the link to sign in", kOptional, &kMailText},
    {base::word(OwnMail::invite), object, "invitation to an account that an administrator created",
     kOptional, &kMailText},
    {base::word(OwnMail::org_invite), object, "invitation to an organisation", kOptional,
     &kMailText},
    {base::word(OwnMail::taken), object,
     "mail to an account when somebody signs up with its address", kOptional, &kMailText},
};
constexpr Shape kMails{"mails", kMailsKeys};

constexpr Key kAuthKeys[] = {
    {"signup", string, "who may create an account; default open", kOptional, nullptr,
     kSignupPolicies},
    {"verifyEmail", flag, "whether an address must be confirmed before the first sign-in"},
    {"methods", strings, "password, magic, passkey, oidc:<provider>; default all"},
    {"providers", objects, "OpenID Connect providers", kOptional, &kProvider},
    {"password", object, "rules for passwords", kOptional, &kPassword},
    {"session", object, "when sessions end", kOptional, &kSession},
    {"mails", object, "your own texts for mails", kOptional, &kMails},
};

constexpr Key kOrgKeys[] = {
    {"enabled", flag, "whether accounts belong to organisations"},
    {"roles", identifiers, "roles in an organisation, with owner; default owner, admin, member"},
};

constexpr Key kSeedUserKeys[] = {
    {"_key", string, "key by which other rows name this account"},
    {"email", string, "e-mail address of the account", kRequired},
    {"name", string, "label that people see"},
    {"persona", string, "persona of the account", kRequired},
    {"isAdmin", flag, "whether the account is an administrator"},
};

}  // namespace

constinit const Shape kApp{"app", kAppKeys};
constinit const Shape kPersona{"persona", kPersonaKeys};
constinit const Shape kAuth{"auth settings", kAuthKeys};
constinit const Shape kOrgs{"orgs settings", kOrgKeys};
constinit const Shape kSeedUser{"seeded user", kSeedUserKeys};

}  // namespace svc::contract
