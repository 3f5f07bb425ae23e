#include "http/fields.hpp"

#include <algorithm>
#include <charconv>

#include "base/formats.hpp"
#include "http/exchange.hpp"
#include "json/formats.hpp"

namespace svc::devapi {
namespace {

constexpr std::size_t kListed = 100;

bool printable(const std::string& text) {
    return std::none_of(text.begin(), text.end(), [](unsigned char c) {
        return (c < ' ' && c != '\n' && c != '\r' && c != '\t') || c == 127;
    });
}

// Characters, not bytes: what the author counts.
std::size_t characters(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](unsigned char c) { return (c & 0xc0) != 0x80; }));
}

}  // namespace

Fields::Fields(const Request& request) : body_(json::object()) {
    if (request.body.empty()) return;
    body_ = json::parse(request.body, nullptr, false);
    if (body_.is_object()) return;
    wrong("",
          body_.is_discarded() ? "The body is not valid JSON." : "The body must be a JSON object.");
    body_ = json::object();
}

const json* Fields::find(const char* name) const {
    const auto found = body_.find(name);
    return found == body_.end() || found->is_null() ? nullptr : &*found;
}

bool Fields::has(const char* name) const { return find(name) != nullptr; }

std::optional<std::string> Fields::text(const char* name, std::size_t min, std::size_t max) {
    const json* value = find(name);
    if (!value) return std::nullopt;
    const std::string limits = std::to_string(min) + " to " + std::to_string(max) + " characters";
    if (!value->is_string()) {
        wrong(name, "Must be a string.");
        return std::nullopt;
    }
    std::string text = value->get<std::string>();
    const std::size_t size = characters(text);
    if (size < min || size > max) wrong(name, "Must have " + limits + ".");
    if (!printable(text)) wrong(name, "Must not contain control characters.");
    return text;
}

std::string Fields::required_text(const char* name, std::size_t min, std::size_t max) {
    if (!has(name)) {
        wrong(name, "Is required.");
        return {};
    }
    return text(name, min, max).value_or("");
}

std::optional<std::string> Fields::uuid(const char* name) {
    auto value = text(name, 0, 100);
    if (value && !base::is_uuid(*value)) wrong(name, "Must be a uuid.");
    return value;
}

std::optional<int> Fields::integer(const char* name, int min, int max) {
    const json* value = find(name);
    if (!value) return std::nullopt;
    if (!value->is_number_integer() || *value < min || *value > max) {
        wrong(name, "Must be a whole number from " + std::to_string(min) + " to " +
                        std::to_string(max) + ".");
        return std::nullopt;
    }
    return value->get<int>();
}

std::optional<bool> Fields::boolean(const char* name) {
    const json* value = find(name);
    if (!value) return std::nullopt;
    if (!value->is_boolean()) {
        wrong(name, "Must be true or false.");
        return std::nullopt;
    }
    return value->get<bool>();
}

std::optional<std::vector<std::string>> Fields::texts(const char* name) {
    const json* value = find(name);
    if (!value) return std::nullopt;
    std::vector<std::string> out;
    const bool good =
        value->is_array() && value->size() <= kListed &&
        std::all_of(value->begin(), value->end(), [&](const json& item) {
            if (!item.is_string()) return false;
            out.push_back(item.get<std::string>());
            return !out.back().empty() && out.back().size() <= 500 && printable(out.back());
        });
    if (!good) wrong(name, "Must be a list of strings.");
    return out;
}

void Fields::wrong(std::string field, std::string message) {
    details_.push_back({{"field", std::move(field)}, {"message", std::move(message)}});
}

bool Fields::good(Response& response) const {
    if (details_.empty()) return true;
    const std::string field = details_[0]["field"].get<std::string>();
    const std::string message = details_[0]["message"].get<std::string>();
    response.send(status(Code::bad_request),
                  {{"error", field.empty() ? message : field + ": " + message},
                   {"code", name(Code::bad_request)},
                   {"details", details_}});
    return false;
}

std::string query_value(std::string_view query, std::string_view name) {
    return http::query_param(query, name).value;
}

std::optional<std::int64_t> positive_number(std::string_view text) {
    std::int64_t out = 0;
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, out);
    if (read.ec != std::errc() || read.ptr != end || out < 1) return std::nullopt;
    return out;
}

}  // namespace svc::devapi
