#include "data/format.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/ascii.hpp"

namespace svc::data {
namespace {

// In thousandths; 1 to 3 digits count, as the grammar has no more.
int quality(std::string_view text) {
    if (text.starts_with('1')) return 1000;
    if (!text.starts_with("0.")) return 0;
    int value = 0;
    for (std::size_t i = 2; i < 5; ++i) {
        const bool digit = i < text.size() && text[i] >= '0' && text[i] <= '9';
        value = value * 10 + (digit ? text[i] - '0' : 0);
    }
    return value;
}

// Returns the text before the separator and moves `text` past it.
std::string_view take_part(std::string_view& text, char separator) {
    const std::string_view part = text.substr(0, text.find(separator));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    return base::trim(part);
}

struct Preference {
    int exact = -1;  // how exactly the type is named: 2 itself, 1 its kind, 0 everything; -1 not
    int quality = 0;
};

int exactness(std::string_view range, std::string_view type) {
    if (base::iequals(range, type)) return 2;
    if (range == "*/*") return 0;
    const bool kind = range.ends_with("/*") && base::iequals(range.substr(0, range.size() - 1),
                                                             type.substr(0, type.find('/') + 1));
    return kind ? 1 : -1;
}

// If several ranges match a type, the most exact one counts.
void weigh(std::string_view accept, std::string_view type, Preference& preference) {
    while (!accept.empty()) {
        std::string_view entry = take_part(accept, ',');
        const int exact = exactness(take_part(entry, ';'), type);
        if (exact < preference.exact || exact < 0) continue;
        int value = 1000;
        while (!entry.empty()) {
            const std::string_view parameter = take_part(entry, ';');
            if (base::iequals(parameter.substr(0, 2), "q=")) value = quality(parameter.substr(2));
        }
        preference = {exact, value};
    }
}

constexpr std::pair<Format, std::string_view> kTypes[] = {{Format::json, "application/json"},
                                                          {Format::csv, "text/csv"},
                                                          {Format::lines, "application/x-ndjson"},
                                                          {Format::lines, "application/ndjson"}};

}  // namespace

Format accepted(const http::Head& head) {
    Preference likes[std::size(kTypes)];
    for (const http::Header& header : head.headers) {
        if (!base::iequals(header.name, "accept")) continue;
        for (std::size_t i = 0; i < std::size(kTypes); ++i) {
            weigh(header.value, kTypes[i].second, likes[i]);
        }
    }
    Format best = Format::json;
    std::pair<int, int> most;
    for (std::size_t i = 0; i < std::size(kTypes); ++i) {
        const std::pair value{likes[i].quality, likes[i].exact};
        if (value.first == 0 || value <= most) continue;
        most = value;
        best = kTypes[i].first;
    }
    return best;
}

std::string_view content_type(Format format) {
    switch (format) {
        case Format::csv:
            return "text/csv; charset=utf-8; header=present";
        case Format::lines:
            return "application/x-ndjson";
        case Format::json:
            break;
    }
    return "application/json";
}

}  // namespace svc::data
