#include "outgoing/address_guard.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "outgoing/private_address.hpp"

namespace svc::outgoing {
namespace {

bool allows(const AllowedHosts& allowed, std::string_view host) {
    return std::ranges::any_of(allowed, [host](const std::string& entry) {
        return entry == "*" || (!host.empty() && base::iequals(entry, host));
    });
}

}  // namespace

AddressGuard::AddressGuard(const AllowedHosts& allowed, std::string_view host)
    : any_(allows(allowed, host)) {}

void AddressGuard::attach(Handle& handle) {
    handle.set(CURLOPT_OPENSOCKETFUNCTION, &AddressGuard::open);
    handle.set(CURLOPT_OPENSOCKETDATA, this);
    handle.set(CURLOPT_PREREQFUNCTION, &AddressGuard::send);
    handle.set(CURLOPT_PREREQDATA, this);
    handle.set(CURLOPT_PROXY, "");  // the address asked about would be the proxy's
}

curl_socket_t AddressGuard::open(void* guard, curlsocktype, curl_sockaddr* address) {
    auto* self = static_cast<AddressGuard*>(guard);
    if (!self->any_ && is_private(address->addr)) {
        self->refused_ = true;
        return CURL_SOCKET_BAD;
    }
    return ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

int AddressGuard::send(void* guard, char* address, char* /*local_address*/, int /*port*/,
                       int /*local_port*/) {
    auto* self = static_cast<AddressGuard*>(guard);
    if (self->any_ || !is_private_text(address)) return CURL_PREREQFUNC_OK;
    self->refused_ = true;
    return CURL_PREREQFUNC_ABORT;
}

}  // namespace svc::outgoing
