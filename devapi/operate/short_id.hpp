// Ids of an app's database that are given by their beginning. Blocking; `database` is an
// administrator connection.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace svc::devapi {

// What may be meant by an id: rows `i` of a FROM clause, with their condition.
inline constexpr const char* kRunRows = "svc.run i where true";
inline constexpr const char* kDeadRows =
    "svc.run i where i.error_code is not null and i.status in ('dead', 'failed')";
inline constexpr const char* kDeliveryRows = "svc.delivery i where true";
inline constexpr const char* kPaymentRows = "svc.payment i where true";
inline constexpr const char* kHeldRunRows =
    "svc.run i where i.due_at is null and i.ended_at is null and i.status = 'held'";
inline constexpr const char* kHeldMailRows = "svc.mail i where i.held and i.ended_at is null";
inline constexpr const char* kHeldDeliveryRows = "svc.delivery i where i.status = 'held'";

// Is it an id, or its first 4 characters or more?
bool is_short_id(std::string_view text);

// The ids with this beginning, `limit` at most. Throws pqxx::failure.
std::vector<std::string> ids_with(const std::string& database, const char* rows,
                                  const std::string& beginning, int limit);

}  // namespace svc::devapi
