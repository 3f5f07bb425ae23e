// A mail as it is sent. Source: RFC 5322, RFC 2045, RFC 2047.
#pragma once

#include <ctime>
#include <string>
#include <string_view>

namespace svc::outgoing {

struct MailMessage {
    std::string id;    // the left side of its Message-ID
    std::string from;  // address, or Name <address>
    std::string to;    // address
    std::string subject;
    std::string text;
};

// The address of "Name <address>" or of "address".
std::string address_of(std::string_view mailbox);

// Headers and body, lines ending in CRLF.
std::string message(const MailMessage& mail, std::time_t now);

}  // namespace svc::outgoing
