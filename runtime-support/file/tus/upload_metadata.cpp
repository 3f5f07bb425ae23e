#include "file/tus/upload_metadata.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/crypto.hpp"

namespace svc::file {

std::string upload_metadata(std::string_view line, std::string_view name) {
    while (!line.empty()) {
        std::string_view entry = line.substr(0, line.find(','));
        line.remove_prefix(std::min(line.size(), entry.size() + 1));
        entry = base::trim(entry);
        const std::size_t blank = entry.find(' ');
        if (blank == std::string_view::npos || entry.substr(0, blank) != name) continue;
        return base::base64_decoded(base::trim(entry.substr(blank))).value_or("");
    }
    return {};
}

std::string kept_metadata(std::string_view line) {
    const auto fits = [](char c) { return c >= ' ' && c <= '~'; };
    return std::ranges::all_of(line, fits) ? std::string(line) : std::string();
}

}  // namespace svc::file
