// The types of columns and parameters, and PostgreSQL's numbers for them.
#pragma once

#include <cstdint>

namespace svc {

enum class Type : std::uint8_t {
    text,
    integer,
    decimal,
    floating,
    money,
    boolean,
    date,
    time,
    timestamp,
    enumeration,
    tags,
    json,
    uuid,
    key,  // of external rows: a whole number, a text or a uuid, as it is there
};

constexpr std::uint32_t oid(Type type) {
    switch (type) {
        case Type::text:
        case Type::enumeration:
            return 25;
        case Type::integer:
        case Type::money:
            return 20;
        case Type::decimal:
            return 1700;
        case Type::floating:
            return 701;
        case Type::boolean:
            return 16;
        case Type::date:
            return 1082;
        case Type::time:
            return 1083;
        case Type::timestamp:
            return 1184;
        case Type::tags:
            return 1009;
        case Type::json:
            return 3802;
        case Type::uuid:
            return 2950;
        case Type::key:
            return 0;  // PostgreSQL takes it from what the parameter stands beside
    }
    return 0;
}

// The oid that answers show. A key whose type only another database knows is shown as text.
constexpr std::uint32_t shown_oid(Type type) { return oid(type == Type::key ? Type::text : type); }

}  // namespace svc
