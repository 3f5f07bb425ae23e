#include "postgres/conninfo.hpp"

#include <libpq-fe.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <stdexcept>

namespace svc::devapi {
namespace {

using Options = std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)>;

Options parse(const std::string& url) {
    char* error = nullptr;
    Options options(PQconninfoParse(url.c_str(), &error), PQconninfoFree);
    if (options) return options;
    const std::string words = error ? error : "out of memory";
    PQfreemem(error);
    throw std::invalid_argument("DATABASE_URL cannot be read: " + words);
}

void append(std::string& out, std::string_view keyword, std::string_view value) {
    if (!out.empty()) out += ' ';
    out.append(keyword).append("='");
    for (char c : value) {
        if (c == '\'' || c == '\\') out += '\\';
        out += c;
    }
    out += '\'';
}

}  // namespace

std::string without_setting(const std::string& url, std::string_view keyword) {
    const Options options = parse(url);
    std::string out;
    for (const PQconninfoOption* option = options.get(); option->keyword; ++option)
        if (option->val && keyword != option->keyword) append(out, option->keyword, option->val);
    return out;
}

std::string with_setting(const std::string& url, std::string_view keyword, std::string_view value) {
    std::string out = without_setting(url, keyword);
    append(out, keyword, value);
    return out;
}

std::string with_database(const std::string& url, std::string_view database) {
    return with_setting(url, "dbname", database);
}

std::string with_account(const std::string& url, std::string_view user, std::string_view password) {
    const Options options = parse(url);
    constexpr std::string_view kProofs[] = {"user",    "password", "passfile",
                                            "sslcert", "sslkey",   "sslpassword"};
    std::string out;
    for (const PQconninfoOption* option = options.get(); option->keyword; ++option)
        if (option->val && std::ranges::find(kProofs, option->keyword) == std::end(kProofs))
            append(out, option->keyword, option->val);
    append(out, "user", user);
    append(out, "password", password);
    return out;
}

std::optional<ConninfoSettings> conninfo_settings(const std::string& url) {
    const Options options(PQconninfoParse(url.c_str(), nullptr), PQconninfoFree);
    if (!options) return std::nullopt;
    ConninfoSettings out;
    for (const PQconninfoOption* option = options.get(); option->keyword; ++option)
        if (option->val) out[option->keyword] = option->val;
    return out;
}

std::string conninfo_value(const std::string& url, std::string_view keyword) {
    const Options options = parse(url);
    for (const PQconninfoOption* option = options.get(); option->keyword; ++option)
        if (option->val && keyword == option->keyword) return option->val;
    return {};
}

}  // namespace svc::devapi
