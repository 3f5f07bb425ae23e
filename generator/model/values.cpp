#include "model/values.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/formats.hpp"
#include "model/names.hpp"

namespace svc::model {
namespace {

using contract::Value;
using Kind = Value::Kind;

Converted good(std::string text) { return {std::move(text), {}}; }
Converted bad(std::string problem) { return {std::nullopt, std::move(problem)}; }

Converted matching(const Value& value, bool (*fits)(std::string_view), const char* problem) {
    if (value.is(Kind::string) && fits(value.text)) return good(value.text);
    return bad(problem);
}

// Least and greatest value, compared as the type orders them.
bool is_below(const Field& field, const std::string& a, const std::string& b) {
    if (field.type == FieldType::datetime) return moment_of(a) < moment_of(b);
    if (field.type == FieldType::time) return time_of(a) < time_of(b);
    if (!is_number(field.type)) return a < b;  // ISO dates sort as texts
    return std::strtold(a.c_str(), nullptr) < std::strtold(b.c_str(), nullptr);
}

Converted within(const Field& field, Converted converted) {
    if (!converted.text) return converted;
    if (field.min && is_below(field, *converted.text, *field.min)) {
        return bad("must not be less than " + *field.min);
    }
    if (field.max && is_below(field, *field.max, *converted.text)) {
        return bad("must not be greater than " + *field.max);
    }
    return converted;
}

// The database wants a domain of two parts.
bool is_mailbox(std::string_view text) {
    return is_email(text) && text.find('.', text.find('@')) != std::string_view::npos;
}

Converted text_value(const Field& field, const Value& value) {
    if (!value.is(Kind::string)) return bad("must be a string");
    const std::size_t characters = length(value.text);
    if (field.max_length && characters > *field.max_length) {
        return bad("must have at most " + std::to_string(*field.max_length) + " characters");
    }
    if (field.min_length && characters < *field.min_length) {
        return bad("must have at least " + std::to_string(*field.min_length) + " characters");
    }
    switch (field.type) {
        case FieldType::email:
            return matching(value, is_mailbox, "must be an e-mail address");
        case FieldType::url:
            return matching(value, is_url,
                            "must be an address that begins with http:// or https://");
        case FieldType::phone:
            return matching(value, is_phone, "must be a phone number");
        case FieldType::slug:
            return matching(value, is_slug, "must have only lower-case letters, digits and -");
        default:
            return good(value.text);
    }
}

Converted enum_value(const Field& field, const Value& value) {
    const auto& values = field.values;
    // An enum without values has its finding already.
    const bool known =
        values.empty() || (value.is(Kind::string) &&
                           std::find(values.begin(), values.end(), value.text) != values.end());
    return known ? good(value.text) : bad("must be one of " + joined(field.values));
}

// {"a","b \"c\""}
Converted tags_value(const Value& value) {
    if (!value.is(Kind::array)) return bad("must be a list of strings");
    std::string out;
    for (const Value& item : value.items) {
        if (!item.is(Kind::string)) return bad("must be a list of strings");
        out += out.empty() ? "\"" : ",\"";
        for (const char c : item.text) {
            if (c == '"' || c == '\\') out += '\\';
            out += c;
        }
        out += '"';
    }
    return good("{" + out + "}");
}

// Digits after the point that matter: 1.20 and 12e-1 have one.
long digits_behind(std::string_view number) {
    const std::size_t power = std::min(number.find_first_of("eE"), number.size());
    std::string digits(number.substr(0, power));
    long out = power < number.size() ? -std::strtol(number.data() + power + 1, nullptr, 10) : 0;
    if (const std::size_t point = digits.find('.'); point != std::string::npos) {
        out += static_cast<long>(digits.size() - point - 1);
        digits.erase(point, 1);
    }
    const std::size_t last = digits.find_last_not_of('0');
    return last == std::string::npos ? 0 : out - static_cast<long>(digits.size() - last - 1);
}

Converted number_value(const Field& field, const Value& value) {
    if (!value.is(Kind::number)) return bad("must be a number");
    if (field.scale && digits_behind(value.text) > static_cast<long>(*field.scale)) {
        return bad("must have at most " + std::to_string(*field.scale) +
                   (*field.scale == 1 ? " digit" : " digits") + " after the decimal point");
    }
    return good(value.text);
}

Converted moment_value(const Value& value) {
    Converted out =
        matching(value, base::is_moment, "must be a datetime like 2024-12-31T09:30:00Z");
    if (out.text && base::is_date(*out.text)) *out.text += "T00:00:00Z";
    return out;
}

Converted integer_value(const Value& value, const char* problem) {
    return value.is(Kind::number) && is_integer(value.text) ? good(value.text) : bad(problem);
}

}  // namespace

bool is_text(FieldType type) {
    return type == FieldType::string || type == FieldType::text || type == FieldType::email ||
           type == FieldType::url || type == FieldType::phone || type == FieldType::slug;
}

bool is_number(FieldType type) {
    return type == FieldType::integer || type == FieldType::number || type == FieldType::decimal ||
           type == FieldType::float_ || type == FieldType::money;
}

bool is_dated(FieldType type) { return type == FieldType::date || type == FieldType::datetime; }

Converted pg_text(const Field& field, const Value& value) {
    switch (field.type) {
        case FieldType::string:
        case FieldType::text:
        case FieldType::email:
        case FieldType::url:
        case FieldType::phone:
        case FieldType::slug:
        case FieldType::sequence:
            return text_value(field, value);
        case FieldType::integer:
            return within(field, integer_value(value, "must be a whole number"));
        case FieldType::money:
            return within(field, integer_value(value, "must be a whole number of cents"));
        case FieldType::number:
        case FieldType::decimal:
        case FieldType::float_:
            return within(field, number_value(field, value));
        case FieldType::boolean:
            return value.is(Kind::boolean) ? good(value.text) : bad("must be true or false");
        case FieldType::date:
            return within(field, matching(value, base::is_date, "must be a date like 2024-12-31"));
        case FieldType::time:
            return within(field,
                          matching(value, base::is_time, "must be a time like 09:30 or 09:30:15"));
        case FieldType::datetime:
            return within(field, moment_value(value));
        case FieldType::enum_:
            return enum_value(field, value);
        case FieldType::tags:
            return tags_value(value);
        case FieldType::json:
            return good(contract::json_text(value));
        case FieldType::uuid:
        case FieldType::ref:
        case FieldType::user:
        case FieldType::file:
            return matching(value, base::is_uuid, "must be a uuid");
    }
    return bad("cannot be set");
}

}  // namespace svc::model
