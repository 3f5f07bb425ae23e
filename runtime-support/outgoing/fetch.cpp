#include "outgoing/fetch.hpp"

#include <stdexcept>
#include <utility>

#include "outgoing/transfer.hpp"

namespace svc::outgoing {

Fetched fetch(Fetch request) {
    try {
        Transfer transfer(std::move(request));
        return transfer.end(transfer.handle().perform());
    } catch (const std::exception& error) {
        Fetched none;
        none.error = error.what();
        return none;
    }
}

std::string_view Fetched::header(std::string_view name) const {
    for (const auto& [known, value] : headers)
        if (known == name) return value;
    return {};
}

std::string host_of(std::string_view url) {
    const auto scheme = url.find("://");
    if (scheme == std::string_view::npos) return {};
    url.remove_prefix(scheme + 3);
    url = url.substr(0, url.find_first_of("/?#"));
    if (const auto at = url.rfind('@'); at != std::string_view::npos) url.remove_prefix(at + 1);
    if (url.starts_with('[')) return std::string(url.substr(0, url.find(']') + 1));
    return std::string(url.substr(0, url.find(':')));
}

bool is_loopback_name(std::string_view host) {
    return host == "localhost" || host == "127.0.0.1" || host == "[::1]";
}

}  // namespace svc::outgoing
