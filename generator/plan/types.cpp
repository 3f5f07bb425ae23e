#include "plan/types.hpp"

namespace svc::plan {
namespace {

using model::FieldType;

constexpr TypeNames kText{"text", ColumnType::text, Writer::text, "25"};
constexpr TypeNames kInteger{"bigint", ColumnType::integer, Writer::number, "20"};
constexpr TypeNames kDecimal{"numeric", ColumnType::decimal, Writer::decimal, "1700"};
constexpr TypeNames kFloat{"double precision", ColumnType::floating, Writer::decimal, "701"};
constexpr TypeNames kMoney{"bigint", ColumnType::money, Writer::number, "20"};
constexpr TypeNames kBoolean{"boolean", ColumnType::boolean, Writer::boolean, "16"};
constexpr TypeNames kDate{"date", ColumnType::date, Writer::plain, "1082"};
constexpr TypeNames kTime{"time", ColumnType::time, Writer::plain, "1083"};
constexpr TypeNames kTimestamp{"timestamptz", ColumnType::timestamp, Writer::timestamp, "1184"};
constexpr TypeNames kEnum{"text", ColumnType::enumeration, Writer::text, "25"};
constexpr TypeNames kTags{"text[]", ColumnType::tags, Writer::tags, "1009"};
constexpr TypeNames kJson{"jsonb", ColumnType::json, Writer::json, "3802"};
// Only in results: an interval as in ISO 8601, a local time without its zone.
constexpr TypeNames kInterval{"interval", ColumnType::text, Writer::plain, "1186"};
constexpr TypeNames kLocal{"timestamp", ColumnType::text, Writer::timestamp, "1114"};
constexpr TypeNames kUuid{"uuid", ColumnType::uuid, Writer::plain, "2950"};

}  // namespace

const TypeNames& type_names(FieldType type) {
    switch (type) {
        case FieldType::string:
        case FieldType::text:
        case FieldType::email:
        case FieldType::url:
        case FieldType::phone:
        case FieldType::slug:
        case FieldType::sequence:
            return kText;
        case FieldType::integer:
            return kInteger;
        case FieldType::number:
        case FieldType::decimal:
            return kDecimal;
        case FieldType::float_:
            return kFloat;
        case FieldType::money:
            return kMoney;
        case FieldType::boolean:
            return kBoolean;
        case FieldType::date:
            return kDate;
        case FieldType::time:
            return kTime;
        case FieldType::datetime:
            return kTimestamp;
        case FieldType::enum_:
            return kEnum;
        case FieldType::tags:
            return kTags;
        case FieldType::json:
            return kJson;
        case FieldType::uuid:
        case FieldType::ref:
        case FieldType::user:
        case FieldType::file:
            return kUuid;
    }
    return kText;
}

const TypeNames* result_type(std::uint32_t oid) {
    switch (oid) {
        case 16:
            return &kBoolean;
        case 20:  // bigint
        case 21:  // smallint
        case 23:  // integer
            return &kInteger;
        case 25:    // text
        case 1042:  // character
        case 1043:  // character varying
            return &kText;
        case 114:   // json
        case 3802:  // jsonb
            return &kJson;
        case 700:  // real
        case 701:
            return &kFloat;
        case 1009:
            return &kTags;
        case 1082:
            return &kDate;
        case 1083:
            return &kTime;
        case 1114:
            return &kLocal;
        case 1184:
            return &kTimestamp;
        case 1186:
            return &kInterval;
        case 1700:
            return &kDecimal;
        case 2950:
            return &kUuid;
        default:
            return nullptr;
    }
}

std::string_view result_sql(std::uint32_t oid) {
    switch (oid) {
        case 21:
            return "smallint";
        case 23:
            return "integer";
        case 114:
            return "json";
        case 700:
            return "real";
        case 1042:
            return "bpchar";
        case 1043:
            return "varchar";
        default:
            const TypeNames* names = result_type(oid);
            return names != nullptr ? names->sql : "text";
    }
}

bool is_text(FieldType type) {
    return type_names(type).type == ColumnType::text && type != FieldType::sequence;
}

bool is_numeric(FieldType type) {
    const ColumnType as = type_names(type).type;
    return as == ColumnType::integer || as == ColumnType::decimal || as == ColumnType::floating ||
           as == ColumnType::money;
}

std::string_view format_pattern(FieldType type) {
    switch (type) {
        case FieldType::email:
            return R"(^[^@\s]+@[^@\s]+\.[^@\s]+$)";
        case FieldType::url:
            return R"(^https?://[^\s]+$)";
        case FieldType::phone:
            return R"(^\+?[0-9][0-9 ()./-]{2,31}$)";
        case FieldType::slug:
            return R"(^[a-z0-9]+(-[a-z0-9]+)*$)";
        default:
            return {};
    }
}

}  // namespace svc::plan
