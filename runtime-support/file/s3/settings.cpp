#include "file/s3/settings.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

#include "base/ascii.hpp"
#include "base/url_host.hpp"
#include "outgoing/fetch.hpp"

namespace svc::file {
namespace {

constexpr const char* kS3Names[] = {"S3_ENDPOINT",   "S3_REGION",     "S3_BUCKET",
                                    "S3_ACCESS_KEY", "S3_SECRET_KEY", "S3_PATH_STYLE"};

[[noreturn]] void wrong_setting(const char* name, std::string_view why) {
    throw std::invalid_argument(std::string(name) + ": " + std::string(why));
}

std::string s3_variable(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

std::string needed(const char* name) {
    std::string value = s3_variable(name);
    if (value.empty()) wrong_setting(name, "is missing; S3_BUCKET needs it");
    if (std::ranges::any_of(value, [](char c) { return c <= ' ' || c > '~'; }))
        wrong_setting(name, "contains a space or another character that keys never contain");
    return value;
}

std::string_view without_scheme(std::string_view address) {
    const auto scheme = address.find("://");
    return scheme == std::string_view::npos ? address : address.substr(scheme + 3);
}

bool is_word(std::string_view text, std::string_view more) {
    return !text.empty() && std::ranges::all_of(text, [more](char c) {
        return base::is_lower(c) || base::is_digit(c) || more.find(c) != std::string_view::npos;
    });
}

std::string read_endpoint(const std::string& region) {
    std::string address = s3_variable("S3_ENDPOINT");
    if (address.empty()) return "https://s3." + region + ".amazonaws.com";
    while (address.ends_with('/')) address.pop_back();
    const std::string_view host = without_scheme(address);
    const bool has_scheme = address.starts_with("https://") || address.starts_with("http://");
    if (!has_scheme || host.empty() || host.find_first_of("/?#@ ") != std::string_view::npos)
        wrong_setting("S3_ENDPOINT", "takes an address such as https://s3.example.com");
    return address;
}

// A bucket's name cannot stand in front of an address of numbers.
bool needs_path_style(const std::string& endpoint) {
    const std::string host = base::host_of(endpoint);
    return host.starts_with('[') || base::is_loopback_name(host) || is_word(host, ".") == false ||
           std::ranges::none_of(host, base::is_letter);
}

bool read_path_style(const std::string& endpoint) {
    const std::string style = s3_variable("S3_PATH_STYLE");
    if (style.empty()) return needs_path_style(endpoint);
    if (style != "on" && style != "off") wrong_setting("S3_PATH_STYLE", "takes on or off");
    if (style == "off" && needs_path_style(endpoint))
        wrong_setting("S3_PATH_STYLE", "must be on where S3_ENDPOINT has an address of numbers");
    return style == "on";
}

}  // namespace

std::string S3Settings::origin() const {
    if (path_style) return endpoint;
    const auto host = endpoint.find("://") + 3;
    return endpoint.substr(0, host) + bucket + "." + endpoint.substr(host);
}

std::string S3Settings::host() const { return std::string(without_scheme(origin())); }

std::string S3Settings::path(const std::string& key) const {
    return path_style ? "/" + bucket + (key.empty() ? "" : "/" + key) : "/" + key;
}

std::optional<S3Settings> read_s3_settings() {
    S3Settings out;
    out.bucket = s3_variable("S3_BUCKET");
    if (out.bucket.empty()) {
        for (const char* name : kS3Names)
            if (!s3_variable(name).empty())
                wrong_setting(name,
                              "is set, but S3_BUCKET is not. Set S3_BUCKET to keep files in "
                              "an S3-compatible store, or unset the others.");
        return std::nullopt;
    }
    if (!is_word(out.bucket, ".-") || out.bucket.size() < 3 || out.bucket.size() > 63)
        wrong_setting("S3_BUCKET", "takes the name of a bucket: 3 to 63 of a-z, 0-9, . and -");
    out.region = s3_variable("S3_REGION");
    if (out.region.empty()) out.region = "us-east-1";
    if (!is_word(out.region, "-")) wrong_setting("S3_REGION", "takes a name such as eu-central-1");
    out.access_key = needed("S3_ACCESS_KEY");
    out.secret_key = needed("S3_SECRET_KEY");
    out.endpoint = read_endpoint(out.region);
    out.path_style = read_path_style(out.endpoint);
    return out;
}

}  // namespace svc::file
