#include "model/value_mend.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/currency.hpp"
#include "model/names.hpp"
#include "model/values.hpp"

namespace svc::model {
namespace {

using Kind = contract::Value::Kind;

// A value that the field's form allows; empty: there is no such one for all fields of the type.
std::string example_of(FieldType type) {
    switch (type) {
        case FieldType::email:
            return "\"ann@example.com\"";
        case FieldType::url:
            return "\"https://example.com\"";
        case FieldType::phone:
            return "\"+33 1 23 45 67 89\"";
        case FieldType::slug:
            return "\"green-tea\"";
        default:
            return {};
    }
}

// An amount in whole units, as 2.5 is, in the currency's smallest ones: "write 250 for 2.50". Empty
// if the currency has no such fraction.
std::string amount_mend(const std::string& number, const std::string& currency) {
    const std::size_t point = number.find('.');
    if (point == std::string::npos) return {};
    std::string behind = number.substr(point + 1);
    const std::size_t exponent = base::currency(currency).exponent;
    if (behind.size() > exponent || !std::all_of(behind.begin(), behind.end(), base::is_digit))
        return {};
    behind.append(exponent - behind.size(), '0');
    const std::string before = number.substr(0, point);
    const std::size_t sign = before.starts_with('-') ? 1 : 0;
    std::string digits = before.substr(sign) + behind;
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
    return "write " + before.substr(0, sign) + digits + " for " + before + "." + behind;
}

}  // namespace

std::string value_mend(const Field& field, const contract::Value& value, const std::string& problem,
                       const std::string& currency) {
    if (field.type == FieldType::money && value.is(Kind::number)) {
        std::string mend = amount_mend(value.text, currency);
        if (!mend.empty()) return mend;
    }
    if (field.type == FieldType::enum_)
        return did_you_mean(value.text, field.values, "write one of them");
    if (problem.find("digit") != problem.npos && is_number(field.type))
        return "round it, or give the field a greater \"scale\"";
    if (problem.find(" less ") != problem.npos || problem.find(" greater ") != problem.npos)
        return "change the value, or the limit of the field";
    if (problem.find(" characters") != problem.npos)
        return "change the value, or the length that the field allows";
    if (is_text(field.type) && (value.is(Kind::number) || value.is(Kind::boolean)))
        return "write it as a string: " + contract::json_string(value.text);
    if (value.is(Kind::string) && is_number(field.type)) return "write a number, without quotes";
    if (value.is(Kind::string) && field.type == FieldType::boolean)
        return "write true or false, without quotes";
    const std::string example = example_of(field.type);
    return example.empty() ? "change the value" : "write it like " + example;
}

}  // namespace svc::model
