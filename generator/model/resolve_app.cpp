#include <algorithm>
#include <filesystem>
#include <string_view>

#include "base/ascii.hpp"
#include "base/hex.hpp"
#include "model/names.hpp"
#include "model/parts.hpp"
#include "model/values.hpp"

namespace svc::model {
namespace {

bool is_currency(const std::string& code) {
    return code.size() == 3 &&
           std::all_of(code.begin(), code.end(), [](char c) { return base::is_lower(c); });
}

// A tag of BCP 47 in its form: a language, then whatever narrows it.
bool is_locale(std::string_view tag) {
    bool first = true;
    for (std::size_t at = 0; at <= tag.size(); first = false) {
        const std::size_t end = std::min(tag.find('-', at), tag.size());
        const std::string_view part = tag.substr(at, end - at);
        const auto fits = [&](char c) {
            const bool letter = base::is_letter(c);
            return letter || (!first && base::is_digit(c));
        };
        if (part.empty() || part.size() > 8 || (first && part.size() < 2)) return false;
        if (!std::all_of(part.begin(), part.end(), fits)) return false;
        at = end + 1;
    }
    return true;
}

void duration(Work work, const std::optional<contract::Text>& text, std::uint32_t& out) {
    if (!text) return;
    const std::optional<std::uint32_t> seconds = seconds_of(text->text);
    if (seconds && *seconds > 0) {
        out = *seconds;
        return;
    }
    work.findings.error("BAD_DURATION", text->path, "\"" + text->text + "\" is not a duration.",
                        "write a whole number and s, m, h or d: \"14d\"");
}

bool is_colour(const std::string& text) {
    return text.size() == 7 && text.front() == '#' &&
           std::all_of(text.begin() + 1, text.end(), base::is_hex_digit);
}

void theme(Work work, const contract::Theme& in, App& out) {
    constexpr std::uint32_t kMostRound = 20;
    if (in.accent) {
        out.accent = in.accent->text;
        if (!is_colour(out.accent))
            work.findings.error("BAD_OPTION", in.accent->path,
                                "\"" + out.accent + "\" is not a colour.",
                                "write red, green and blue as hexadecimal digits: \"#0a7d5a\"");
    }
    if (in.font) out.font = base::read_word<Font>(in.font->text).value_or(Font::system);
    if (!in.radius) return;
    out.radius = in.radius->text.size() > 4
                     ? kMostRound + 1
                     : static_cast<std::uint32_t>(std::stoul(in.radius->text));
    if (*out.radius > kMostRound)
        work.findings.error("BAD_OPTION", in.radius->path, "\"radius\" must be from 0 to 20.",
                            "use a number of pixels from 0 to 20");
}

}  // namespace

bool is_time_zone(const std::string& name) {
    const bool shape = !name.empty() && name.front() != '/' &&
                       name.find("..") == std::string::npos &&
                       std::all_of(name.begin(), name.end(), [](char c) {
                           return base::is_alphanumeric(c) ||
                                  std::string_view("/_+-").find(c) != std::string_view::npos;
                       });
    if (!shape) return false;
    // PostgreSQL reads the same database; a machine without one leaves the check to it.
    const std::filesystem::path database = "/usr/share/zoneinfo";
    std::error_code error;
    return !std::filesystem::exists(database / "UTC", error) ||
           std::filesystem::is_regular_file(database / name, error);
}

void resolve_app(Work work) {
    const contract::App& in = work.in.app;
    App& out = work.out.app;
    out.name = in.name.text;
    out.description = in.description.text;
    if (in.locale) {
        out.locale = in.locale->text;
        if (!is_locale(out.locale)) {
            work.findings.error("BAD_OPTION", in.locale->path,
                                "\"" + out.locale + "\" is not a language tag.",
                                "write a language and an optional country: \"fr\", \"pt-BR\"");
        }
    }
    const bool blank = is_blank(out.name);
    const bool given = !in.name.path.empty();  // otherwise a finding says that the app is missing
    if (given && (blank || length(out.name) > 100)) {
        work.findings.error("BAD_NAME", in.name.path,
                            "The app's name must have 1 to 100 characters.",
                            blank ? "write a name, such as \"Help desk\"" : "shorten it");
    }
    if (in.timezone) {
        out.timezone = in.timezone->text;
        if (!is_time_zone(out.timezone)) {
            work.findings.error("UNKNOWN_TIMEZONE", in.timezone->path,
                                "There is no time zone \"" + out.timezone + "\".",
                                "use an IANA name like Europe/Paris or UTC");
        }
    }
    theme(work, in.theme, out);
    if (in.currency) {
        out.currency = in.currency->text;
        if (!is_currency(out.currency)) {
            work.findings.error("BAD_CURRENCY", in.currency->path,
                                "\"" + out.currency + "\" is not a currency code.",
                                "use the lower-case ISO 4217 code: eur");
        }
    }
}

namespace {

// A mail without its link leads nowhere.
void resolve_mail(Work work, const contract::MailText& in) {
    if (in.text.text.find("{link}") == std::string::npos) {
        work.findings.error("BAD_OPTION", in.text.path, "The text of this mail has no {link}.",
                            "write {link} where the link belongs");
        return;
    }
    // The parser has reported an unknown kind.
    if (const auto kind = base::read_word<base::OwnMail>(in.kind))
        work.out.auth.mails.push_back({*kind, in.subject ? in.subject->text : "", in.text.text});
}

}  // namespace

void resolve_auth(Work work) {
    const contract::Auth& in = work.in.auth;
    Auth& out = work.out.auth;
    out.signup = base::read_word<Auth::Signup>(in.signup.text).value_or(Auth::Signup::open);
    out.verify_email = in.verify_email;
    out.refuse_common = in.refuse_common;
    for (const contract::MailText& mail : in.mails) resolve_mail(work, mail);
    duration(work, in.session_idle, out.session_idle);
    duration(work, in.session_max, out.session_max);
    if (in.session_idle && in.session_max && out.session_idle > out.session_max) {
        work.findings.error(
            "BAD_OPTION", in.session_idle->path,
            "\"idle\" is longer than \"max\", so a session ends before it can be idle for so long.",
            "make \"idle\" at most as long as \"max\"");
    }
    if (in.min_password) {
        out.min_password = static_cast<std::uint32_t>(std::stoul(in.min_password->text));
        if (out.min_password < 8 || out.min_password > 128) {
            work.findings.error("BAD_OPTION", in.min_password->path,
                                "The minimum length of passwords must be from 8 to 128.",
                                "use a number from 8 to 128");
        }
    }
}

}  // namespace svc::model
