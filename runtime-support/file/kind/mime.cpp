#include "file/kind/mime.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/known_mime.hpp"

namespace svc::file {
namespace {

enum class Family { none, picture, sound, text, archive, document, pdf };

bool holds(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

bool is_text(std::string_view type) {
    return type.starts_with("text/") || type.starts_with("message/") || type.ends_with("+xml") ||
           type.ends_with("+json") || holds(type, "json") || holds(type, "xml") ||
           holds(type, "script") || holds(type, "csv") || type == "image/svg";
}

bool is_archive(std::string_view type) {
    return type == "application/zip" || type == "application/x-zip-compressed" ||
           type.starts_with("application/vnd.openxmlformats-") ||
           type.starts_with("application/vnd.oasis.opendocument.");
}

bool is_document(std::string_view type) {
    return type == "application/msword" || type.starts_with("application/vnd.ms-") ||
           type == "application/x-ole-storage" || base::iequals(type, "application/cdfv2");
}

Family family_of(std::string_view type) {
    // Before texts: the long names of archives hold "xml".
    if (is_archive(type)) return Family::archive;
    if (is_document(type)) return Family::document;
    if (is_text(type)) return Family::text;
    if (type.starts_with("image/")) return Family::picture;
    if (type.starts_with("audio/") || type.starts_with("video/") || type == "application/ogg")
        return Family::sound;
    return type == "application/pdf" ? Family::pdf : Family::none;
}

bool is_token(char c) {
    return base::is_alphanumeric(c) ||
           std::string_view("!#$&-^_.+").find(c) != std::string_view::npos;
}

bool matches(std::string_view pattern, std::string_view type) {
    if (!pattern.ends_with("/*")) return pattern == type;
    return type.starts_with(pattern.substr(0, pattern.size() - 1));
}

// libmagic's own names of what has a registered one.
std::string_view registered(std::string_view type) {
    if (type == "image/x-ms-bmp") return "image/bmp";
    if (type == "image/x-icon") return "image/vnd.microsoft.icon";
    if (type == "application/x-zip-compressed") return "application/zip";
    return type;
}

}  // namespace

std::string normal_type(std::string_view text) {
    const std::string out = base::lower(base::trim(text.substr(0, text.find(';'))));
    const std::size_t slash = out.find('/');
    if (slash == std::string::npos || slash == 0 || slash + 1 == out.size() || out.size() > 120)
        return {};
    std::string tokens = out;
    tokens[slash] = '-';
    return std::ranges::all_of(tokens, is_token) ? out : std::string();
}

bool is_allowed(const FileRules& rules, std::string_view type) {
    const auto fits = [type](std::string_view pattern) { return matches(pattern, type); };
    if (!std::ranges::any_of(base::kKnownMime, fits)) return false;
    return rules.mime.empty() || std::any_of(rules.mime.begin(), rules.mime.end(), fits);
}

std::optional<std::string> type_to_keep(const FileRules& rules, std::string_view declared,
                                        std::string_view found) {
    found = registered(found);
    if (declared.empty() || declared == "application/octet-stream") declared = found;
    const Family family = family_of(declared);
    if (family == Family::none || family != family_of(found)) return std::nullopt;
    const bool seen = family == Family::picture || family == Family::pdf;
    const std::string_view kept = seen ? found : declared;
    if (!is_allowed(rules, kept) || !is_allowed(rules, declared)) return std::nullopt;
    return std::string(kept);
}

Served served_as(std::string_view type) {
    const Family family = family_of(type);
    if (family == Family::picture || family == Family::pdf) return {std::string(type), true};
    // An attachment; pages may show it as a picture, where nothing in it runs.
    if (type == "image/svg+xml") return {std::string(type)};
    if (family == Family::none) return {"application/octet-stream"};
    if (family != Family::text) return {std::string(type)};
    if (type == "application/json" || type == "text/csv") return {std::string(type)};
    return {"text/plain; charset=utf-8"};
}

}  // namespace svc::file
