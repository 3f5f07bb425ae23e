// Sends mail to a server that relays it: SMTP with STARTTLS, or inside TLS.
#pragma once

#include <string>
#include <string_view>

#include "outgoing/fetch.hpp"
#include "outgoing/mail_message.hpp"

namespace svc::outgoing {

// smtp[s]://user:password@host:port/?from=Shop%20%3Cshop%40example.com%3E&tls=off
struct MailServer {
    std::string url;  // scheme, host and port
    std::string user, password;
    std::string from;              // empty: none was named
    AllowedHosts allowed = {"*"};  // private hosts that it may be
    bool tls = true;  // STARTTLS is insisted on; loopback addresses and tls=off go without
};

// Throws std::invalid_argument with what is wrong with it; the text holds no password.
MailServer read_mail_server(std::string_view url);

struct Sent {
    bool ok = false;
    bool for_good = false;  // refused in a way that another try does not change
    std::string error;      // in words; without credentials
};
// Blocks, a minute at most.
Sent send(const MailServer& server, const MailMessage& mail);

}  // namespace svc::outgoing
