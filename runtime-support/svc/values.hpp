// The types of fields, as generated structs hold them. Text-backed values hold what PostgreSQL
// takes as input and were checked when they were read: no digit is lost on the way through.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace svc {

struct Decimal {
    std::string text;  // JSON number, every digit as sent
};
struct Money {
    std::int64_t cents = 0;
};
struct Date {
    std::string text;  // 2026-11-21
};
struct Time {
    std::string text;  // 13:37:00.5
};
struct Timestamp {
    std::string text;  // ISO 8601 with offset, or as PostgreSQL prints it in UTC
};
struct JsonText {
    std::string text;  // one valid JSON value
};
// The key of an external row: its text, whatever its type is there.
struct KeyText {
    std::string text;
};

struct Uuid {
    std::string text;  // 36 characters, lower case
};
using Tags = std::vector<std::string>;

// A member of a request body: not sent, sent as null, or sent with a value. Absent and null differ:
// absent takes the default on create and keeps what is there on update.
// A generated struct has a dozen of them: what makes and ends one is compiled once, in the library.
template <class T>
struct Sent {
    enum State : std::uint8_t { absent, null, given };
    Sent() noexcept;
    ~Sent();
    Sent(const Sent&) = delete;
    Sent& operator=(const Sent&) = delete;

    T value{};
    State state = absent;
};
extern template struct Sent<std::string>;
extern template struct Sent<std::int64_t>;
extern template struct Sent<double>;
extern template struct Sent<bool>;
extern template struct Sent<Decimal>;
extern template struct Sent<Money>;
extern template struct Sent<Date>;
extern template struct Sent<Time>;
extern template struct Sent<Timestamp>;
extern template struct Sent<JsonText>;
extern template struct Sent<KeyText>;
extern template struct Sent<Uuid>;
extern template struct Sent<Tags>;

}  // namespace svc
