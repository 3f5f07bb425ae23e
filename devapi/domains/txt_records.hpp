// TXT records of the Domain Name System (RFC 1035), over c-ares. Blocking: worker threads only.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace svc::devapi {

struct TxtRecords {
    enum class Status { found, none, unknown };  // none: the name or its texts are not there
    Status status = Status::unknown;
    // One text for each record: the strings of a record are joined.
    std::vector<std::string> texts = {};
    std::string trouble = {};  // if it is unknown: why

    bool hold(const std::string& text) const;
};

// All names at once, by name; 5 s at most. `servers`: addresses, with ports where wanted and commas
// between; empty: those of the system.
std::map<std::string, TxtRecords> txt_records(const std::string& servers,
                                              const std::vector<std::string>& names);

// Whether `servers` can be read.
bool are_dns_servers(const std::string& servers);

}  // namespace svc::devapi
