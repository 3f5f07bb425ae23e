// The app itself, its personas and accounts.
#include "contract/key_shapes.hpp"

namespace svc::contract {
namespace {

using enum KeyKind;

constexpr std::string_view kPersonaKinds[] = {"consumer", "staff"};
constexpr std::string_view kMfa[] = {"required"};
constexpr std::string_view kSignupPolicies[] = {"open", "invite_only", "disabled"};

constexpr Key kAppKeys[] = {
    {"name", string, "name of the app", kRequired},
    {"description", string, "what it is for"},
    {"timezone", string, "IANA name of the time zone of days and weeks; UTC"},
    {"currency", string, "lower-case ISO 4217 code; usd"},
    {"locale", string, "language tag; en"},
};

constexpr Key kPersonaKeys[] = {
    {"id", identifier, "its name in access lists", kRequired},
    {"kind", string, "staff or consumer", kRequired, kRuns, nullptr, kPersonaKinds},
    {"label", string, "its name for people"},
    {"signup", flag, "may people sign up as it by themselves"},
    {"extends", strings, "personas whose rights it has too"},
    {"mfa", string, "required: it must have a second factor", kOptional, kRuns, nullptr, kMfa},
};

constexpr Key kPasswordKeys[] = {
    {"min", count, "least number of characters, 8 or more"},
    {"refuseCommon", flag, "are the passwords that everybody tries first refused"},
};
constexpr Shape kPassword{"password settings", kPasswordKeys};

constexpr Key kSessionKeys[] = {
    {"idle", duration, "time after which an unused session ends; 14d"},
    {"max", duration, "time after which any session ends; 90d"},
};
constexpr Shape kSession{"session settings", kSessionKeys};

constexpr Key kMailKeys[] = {
    {"subject", string, "its subject; {app}, {org} and {actor} stand for names"},
    {"text", string, "its text; {link} stands for the link", kRequired},
};
constexpr Shape kMailText{"mail", kMailKeys};
constexpr Key kMailsKeys[] = {
    {"verify", object, "confirms an address", kOptional, kRuns, &kMailText},
    {"reset", object, "leads to a new password", kOptional, kRuns, &kMailText},
    {"magic", object, "signs in", kOptional, kRuns, &kMailText},
    {"invite", object, "invites to an account that was made", kOptional, kRuns, &kMailText},
    {"orgInvite", object, "invites to an organisation", kOptional, kRuns, &kMailText},
    {"taken", object, "somebody signed up with an address that has an account", kOptional, kRuns,
     &kMailText},
};
constexpr Shape kMails{"mails", kMailsKeys};

constexpr Key kAuthKeys[] = {
    {"signup", string, "who may make an account", kOptional, kRuns, nullptr, kSignupPolicies},
    {"verifyEmail", flag, "must an address be confirmed before the first sign-in"},
    {"methods", strings, "password, magic, passkey, oidc:<provider>"},
    {"providers", objects, "OpenID Connect providers", kOptional, kRuns, &kProvider},
    {"password", object, "rules for passwords", kOptional, kRuns, &kPassword},
    {"session", object, "how long sessions live", kOptional, kRuns, &kSession},
    {"mails", object, "texts of mails, where ours do not fit", kOptional, kRuns, &kMails},
};

constexpr Key kOrgKeys[] = {
    {"enabled", flag, "do accounts belong to organisations"},
    {"roles", identifiers, "roles inside an organisation, owner among them; owner admin member"},
};

constexpr Key kSeedUserKeys[] = {
    {"_key", string, "its own name, for refs to it"},
    {"email", string, "the address", kRequired},
    {"name", string, "its name for people"},
    {"persona", string, "the account's persona", kRequired},
    {"isAdmin", flag, "is it an administrator"},
};

}  // namespace

constinit const Shape kApp{"app", kAppKeys};
constinit const Shape kPersona{"persona", kPersonaKeys};
constinit const Shape kAuth{"auth settings", kAuthKeys};
constinit const Shape kOrgs{"orgs settings", kOrgKeys};
constinit const Shape kSeedUser{"seeded user", kSeedUserKeys};

}  // namespace svc::contract
