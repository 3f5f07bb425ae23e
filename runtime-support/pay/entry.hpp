// An entry of the ledger of payments, as schema/payments.sql gives it to the server.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "pay/status.hpp"

namespace svc::pay {

struct Entry {
    std::string id;
    PayMethod method = PayMethod::offline;
    Status status = Status::due;
    std::int64_t amount = 0;  // in the currency's smallest unit
    std::string currency;     // lower-case code
    std::int64_t charge = 0;  // the same amount as the provider counts it; 0: offline
    std::string reference;    // <project>:<table>:<id>
    std::string return_url;
    std::string note;          // empty: none
    std::string session;       // the provider's; empty: none was opened
    std::string url;           // where the customer pays
    std::string product;       // what the customer sees that they pay for
    std::int64_t expires = 0;  // of the session, Unix time
};

// Reads the result of svc.payment_work(). Nothing if it is null.
std::optional<Entry> read_entry(std::string_view json);

}  // namespace svc::pay
