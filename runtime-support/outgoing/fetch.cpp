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

}  // namespace svc::outgoing
