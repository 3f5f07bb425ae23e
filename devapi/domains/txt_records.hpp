// TXT records of a name, asked of a DNS server by c-ares. Blocks, for some seconds at most.
#pragma once

#include <string>
#include <vector>

namespace svc::devapi {

struct TxtRecords {
    enum class Answer { found, none, failed } answer = Answer::failed;
    std::vector<std::string> values;  // each record's strings put together (RFC 1035, 3.3.14)
    std::string why = {};             // where it failed
};

// `server` is address:port; empty: the servers of this machine. `none` is the server's own word
// that there is no such record.
TxtRecords txt_records(const std::string& name, const std::string& server);

}  // namespace svc::devapi
