#include "data/writers.hpp"

namespace svc::data {

Writer writer(Type type) {
    switch (type) {
        case Type::text:
        case Type::enumeration:
            return write_text;
        case Type::integer:
        case Type::money:
            return write_number;
        case Type::decimal:
        case Type::floating:
            return write_decimal;
        case Type::boolean:
            return write_boolean;
        case Type::date:
        case Type::time:
        case Type::uuid:
            return write_plain;
        case Type::key:
            return write_key;
        case Type::timestamp:
            return write_timestamp;
        case Type::tags:
            return write_tags;
        case Type::json:
            return write_json;
    }
    return write_text;
}

}  // namespace svc::data
