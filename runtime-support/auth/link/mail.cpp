#include "auth/link/mail.hpp"

#include <algorithm>

#include "base/app_paths.hpp"
#include "base/own_mail.hpp"

namespace svc::auth::link {
namespace {

using base::OwnMail;

struct Ours {
    MailKind kind;
    OwnMail own;  // what the contract calls it
    std::string_view subject, body;
};

// The mails that are sent if the contract has no text for them (auth.mails).
constexpr Ours kOurs[] = {
    {MailKind::verify, OwnMail::verify, "Confirm your address for {app}",
     "Open this link to confirm that this address is yours:\n\n{link}\n\n"
     "The link is valid for one day. If you did not sign up for {app}, ignore this mail.\n"},
    {MailKind::reset, OwnMail::reset, "Choose a new password for {app}",
     "Choose a new password:\n\n{link}\n\n"
     "The link works once and is valid for one hour. If you did not ask for it, ignore this mail. "
     "Your password does not change.\n"},
    {MailKind::magic, OwnMail::magic, "Sign in to {app}",
     "Sign in:\n\n{link}\n\n"
     "The link works once and is valid for 15 minutes. If you did not ask for it, ignore this "
     "mail.\n"},
    {MailKind::invite, OwnMail::invite, "Your account at {app}",
     "An account was created for you at {app}. Choose its password:\n\n{link}\n\n"
     "The link works once and is valid for one hour.\n"},
    // The contract's text for an invitation holds for it too.
    {MailKind::invite_in, OwnMail::invite, "Your account at {app}",
     "An account was created for you at {app}. Sign in:\n\n{link}\n\n"
     "The link works once and is valid for one hour.\n"},
    {MailKind::org_invite, OwnMail::org_invite, "Join {org} at {app}",
     "{actor} invites you to join {org} at {app}:\n\n{link}\n\nThe link is valid for seven "
     "days.\n"},
    {MailKind::taken, OwnMail::taken, "You already have an account at {app}",
     "Somebody, perhaps you, tried to sign up at {app} with this address. The address already has "
     "an account. Sign in, or choose a new password there.\n\n{link}\n"},
};

const Ours& ours(MailKind kind) { return *std::ranges::find(kOurs, kind, &Ours::kind); }

std::string_view value_of(std::string_view name, const MailValues& values) {
    if (name == "app") return values.app;
    if (name == "link") return values.link;
    if (name == "org") return values.org;
    if (name == "actor") return values.actor;
    return {};
}

// A subject is one line, whatever the names in it hold: no header of a mail ends early.
std::string one_line(std::string text) {
    const auto control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
    std::ranges::replace_if(text, control, ' ');
    return text;
}

// A name that a user chose appears in mails to other people. So it is cut to one short line without
// anything that mail programs turn into a link.
std::string harmless(std::string_view name) {
    constexpr std::size_t kLongest = 80;
    std::string out = one_line(std::string(name));
    for (auto at = out.find("://"); at != std::string::npos; at = out.find("://")) out.erase(at, 3);
    if (out.size() <= kLongest) return out;
    std::size_t end = kLongest;
    while ((static_cast<unsigned char>(out[end]) & 0xc0U) == 0x80) --end;
    return out.substr(0, end) + "…";
}

// Braces with an unknown name stay as they are.
std::string fill(std::string_view text, const MailValues& values) {
    constexpr std::string_view kNames[] = {"app", "link", "org", "actor"};
    std::string out;
    while (!text.empty()) {
        const auto open = std::min(text.find('{'), text.size());
        out += text.substr(0, open);
        text.remove_prefix(open);
        const auto close = text.find('}');
        const std::string_view name =
            close == std::string_view::npos ? std::string_view() : text.substr(1, close - 1);
        if (std::ranges::find(kNames, name) != std::end(kNames)) {
            out += value_of(name, values);
            text.remove_prefix(close + 1);
        } else if (!text.empty()) {
            out += text.front();
            text.remove_prefix(1);
        }
    }
    return out;
}

}  // namespace

std::string_view name_of(MailKind kind) { return base::word(ours(kind).own); }

Mail compose(const App& app, MailKind kind, const MailValues& given) {
    MailValues values = given;
    values.org = harmless(values.org);
    values.actor = harmless(values.actor);
    const Ours& standard = ours(kind);
    std::string_view subject = standard.subject;
    std::string_view body = standard.body;
    for (const MailTemplate& own : app.auth.mails) {
        if (own.kind != base::word(standard.own)) continue;
        if (!own.subject.empty()) subject = own.subject;
        if (!own.text.empty()) body = own.text;
    }
    Mail mail;
    mail.subject = one_line(fill(subject, values));
    mail.body = fill(body, values);
    if (!values.link.empty()) mail.links = "{\"" + values.link + "\"}";
    if (mail.links.empty()) mail.links = "{}";
    return mail;
}

std::string link_to(const Context& in, std::string_view path, std::string_view token) {
    std::string link = in.settings.origin;
    link += base::kApiPath;
    link += path;
    link += "?token=";
    return link += token;
}

}  // namespace svc::auth::link
