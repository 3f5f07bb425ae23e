#include "file/upload/multipart.hpp"

#include <algorithm>
#include <cstring>

#include "base/ascii.hpp"
#include "base/percent.hpp"

namespace svc::file {
namespace {

constexpr std::size_t kMostBoundary = 70;  // RFC 2046, 5.1.1

bool may_stand_in_boundary(char c) {
    return base::is_alphanumeric(c) ||
           std::string_view("'()+_,-./:=? ").find(c) != std::string::npos;
}

// Takes the token or the string in quotes at the front, and moves past it. Browsers write a quote
// in a name as %22, others as \".
std::optional<std::string> take_value(std::string_view& text) {
    std::string out;
    if (!text.starts_with('"')) {
        const std::size_t end = std::min(text.find_first_of("; \t"), text.size());
        out = text.substr(0, end);
        text.remove_prefix(end);
        return out;
    }
    for (std::size_t i = 1; i < text.size(); ++i) {
        if (text[i] == '"') {
            text.remove_prefix(i + 1);
            return out;
        }
        const bool escaped =
            text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == '"' || text[i + 1] == '\\');
        out += text[i += escaped ? 1 : 0];
    }
    return std::nullopt;
}

struct Parameter {
    std::string name, value;
};

// "; name=value" at the front. Nothing where it is malformed; an empty name at the end.
std::optional<Parameter> take_parameter(std::string_view& text) {
    text = base::trim(text);
    if (text.empty()) return Parameter{};
    if (!text.starts_with(';')) return std::nullopt;
    text = base::trim(text.substr(1));
    const std::size_t sign = text.find('=');
    if (sign == std::string_view::npos) return std::nullopt;
    const std::string name = base::lower(base::trim(text.substr(0, sign)));
    text = base::trim(text.substr(sign + 1));
    auto value = take_value(text);
    if (!value || name.empty()) return std::nullopt;
    return Parameter{name, std::move(*value)};
}

// Decodes only what browsers encode.
std::string with_quotes(std::string_view text) {
    std::string out;
    for (; !text.empty(); text.remove_prefix(1)) {
        const std::string_view code = text.substr(0, 3);
        if (code == "%22" || base::iequals(code, "%0d") || base::iequals(code, "%0a")) {
            out += base::percent_decoded(code);
            text.remove_prefix(2);
        } else {
            out += text.front();
        }
    }
    return out;
}

// UTF-8''a%20b.txt (RFC 5987)
std::optional<std::string> extended(std::string_view value) {
    if (value.size() < 7 || !base::iequals(value.substr(0, 6), "utf-8'")) return std::nullopt;
    const std::size_t quote = value.find('\'', 6);
    if (quote == std::string_view::npos) return std::nullopt;
    return base::percent_decoded(value.substr(quote + 1));
}

}  // namespace

std::optional<std::string> boundary_of(std::string_view content_type) {
    constexpr std::string_view kType = "multipart/form-data";
    const std::string_view type = base::trim(content_type.substr(0, content_type.find(';')));
    if (!base::iequals(type, kType)) return std::nullopt;
    std::string_view rest =
        content_type.substr(std::min(content_type.find(';'), content_type.size()));
    for (;;) {
        const auto parameter = take_parameter(rest);
        if (!parameter || parameter->name.empty()) return std::nullopt;
        if (parameter->name != "boundary") continue;
        const std::string& value = parameter->value;
        const bool fits = !value.empty() && value.size() <= kMostBoundary && value.back() != ' ' &&
                          std::ranges::all_of(value, may_stand_in_boundary);
        return fits ? std::optional(value) : std::nullopt;
    }
}

Multipart::Multipart(std::string_view boundary, std::size_t most_parts)
    : delimiter_("\r\n--" + std::string(boundary)), most_parts_(most_parts) {}

Multipart::Event Multipart::next(std::string_view& bytes, std::string_view& data) {
    while (!bytes.empty()) {
        Event event = Event::more;
        if (state_ == State::done) {
            bytes = {};
            return Event::whole;
        }
        if (state_ == State::preamble || state_ == State::body) {
            event = search(bytes, data);
        } else {
            const char c = bytes.front();
            bytes.remove_prefix(1);
            event = state_ == State::headers ? read_header(c) : behind_delimiter(c);
        }
        if (event != Event::more) return event;
    }
    return state_ == State::done ? Event::whole : Event::more;
}

// The delimiter begins with the only CR that it has, so what does not go on as it does begins anew.
Multipart::Event Multipart::search(std::string_view& bytes, std::string_view& data) {
    const bool inside = state_ == State::body;
    if (matched_ == 0) {
        const auto* cr = static_cast<const char*>(std::memchr(bytes.data(), '\r', bytes.size()));
        data = bytes.substr(0, cr ? static_cast<std::size_t>(cr - bytes.data()) : bytes.size());
        bytes.remove_prefix(data.size());
        if (data.empty()) {
            matched_ = 1;
            bytes.remove_prefix(1);
            return Event::more;
        }
    } else if (bytes.front() == delimiter_[matched_]) {
        bytes.remove_prefix(1);
        return ++matched_ == delimiter_.size() ? found() : Event::more;
    } else {
        data = std::string_view(delimiter_).substr(0, matched_);
        matched_ = 0;
    }
    if (inside) return Event::data;
    around_ += data.size();
    return around_ > kMostAround ? Event::too_large : Event::more;
}

Multipart::Event Multipart::found() {
    const bool inside = state_ == State::body;
    matched_ = 0;
    around_ = 0;
    state_ = State::delimited;
    return inside ? Event::end : Event::more;
}

// Two dashes end it all; blanks may stand before the end of the line.
Multipart::Event Multipart::behind_delimiter(char c) {
    constexpr std::size_t kMostBlanks = 100;
    if (state_ == State::dashed) {
        if (c != '-') return Event::malformed;
        state_ = State::done;
        return Event::whole;
    }
    if (state_ == State::closing) {
        if (c != '\n') return Event::malformed;
        state_ = State::headers;
        headers_.clear();
        return ++parts_ > most_parts_ ? Event::too_large : Event::more;
    }
    if (c == '-' && around_ == 0) {
        state_ = State::dashed;
    } else if (c == '\r') {
        state_ = State::closing;
    } else if ((c != ' ' && c != '\t') || ++around_ > kMostBlanks) {
        return Event::malformed;
    }
    return Event::more;
}

Multipart::Event Multipart::read_header(char c) {
    headers_ += c;
    if (headers_.size() > kMostHeaders) return Event::too_large;
    if (c == '\0' || (c == '\n' && !headers_.ends_with("\r\n"))) return Event::malformed;
    if (headers_ != "\r\n" && !headers_.ends_with("\r\n\r\n")) return Event::more;
    if (!take_headers()) return Event::malformed;
    state_ = State::body;
    return Event::begin;
}

bool Multipart::take_headers() {
    name_.clear();
    file_name_.clear();
    type_.clear();
    named_ = false;
    std::string_view rest = headers_;
    while (!rest.starts_with("\r\n")) {
        const std::string_view line = rest.substr(0, rest.find("\r\n"));
        rest.remove_prefix(line.size() + 2);
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos || colon == 0) return false;
        const std::string_view field = line.substr(0, colon);
        const std::string_view value = base::trim(line.substr(colon + 1));
        if (base::iequals(field, "content-disposition") && !take_disposition(value)) return false;
        if (base::iequals(field, "content-type")) type_ = value;
    }
    return named_;
}

bool Multipart::take_disposition(std::string_view value) {
    const std::string_view kind = value.substr(0, value.find(';'));
    if (named_ || !base::iequals(base::trim(kind), "form-data")) return false;
    value.remove_prefix(kind.size());
    std::optional<std::string> better;
    for (;;) {
        const auto parameter = take_parameter(value);
        if (!parameter) return false;
        if (parameter->name.empty()) break;
        if (parameter->name == "name") {
            name_ = with_quotes(parameter->value);
            named_ = true;
        } else if (parameter->name == "filename") {
            file_name_ = with_quotes(parameter->value);
        } else if (parameter->name == "filename*") {
            better = extended(parameter->value);
        }
    }
    if (better) file_name_ = *better;
    return named_;
}

}  // namespace svc::file
