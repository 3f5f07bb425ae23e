#include "http/request/host.hpp"

#include <boost/asio/ip/address_v4.hpp>
#include <string>

namespace svc::http {

bool is_address(std::string_view host) {
    boost::system::error_code fault;
    boost::asio::ip::make_address_v4(std::string(host), fault);
    return !fault || host.starts_with('[');
}

}  // namespace svc::http
