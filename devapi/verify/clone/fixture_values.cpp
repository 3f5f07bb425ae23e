#include "verify/clone/fixture_values.hpp"

#include <cstdlib>
#include <set>

#include "plan/names.hpp"
#include "plan/types.hpp"
#include "verify/clone/fixtures.hpp"

namespace svc::devapi::verification {
namespace {

using model::Field;
using model::FieldType;

bool unbounded(FieldType type) {
    return plan::is_text(type) || type == FieldType::date || type == FieldType::datetime ||
           type == FieldType::time || type == FieldType::uuid;
}

// Adds numbers that the contract names, their neighbours, the bounds, and some more, if the
// field allows them.
void add_numbers(const Field& field, std::vector<std::string>& pool) {
    std::set<double> numbers = {0, 1, 2, 5, 10, 100, 1000};
    for (const std::string& text : pool)
        for (const int by : {-1, 0, 1}) numbers.insert(std::strtod(text.c_str(), nullptr) + by);
    for (const auto& bound : {field.min, field.max})
        if (bound) numbers.insert(std::strtod(bound->c_str(), nullptr));
    pool.clear();
    for (const double number : numbers) {
        if (field.min && number < std::strtod(field.min->c_str(), nullptr)) continue;
        if (field.max && number > std::strtod(field.max->c_str(), nullptr)) continue;
        const bool whole = field.type == FieldType::integer || field.type == FieldType::money;
        std::string text = std::to_string(number);
        if (whole && number != static_cast<double>(static_cast<long long>(number))) continue;
        pool.push_back(whole ? text.substr(0, text.find('.')) : text);
    }
}

}  // namespace

std::string FixtureValues::made(std::size_t index, std::size_t f, std::size_t n) {
    const Field& field = model_.entities[index].fields[f];
    const auto& pool = values_of(index, f);
    const std::string type(plan::type_names(field.type).sql);
    if (field.type == FieldType::tags)
        return text_array(dice_.chance(3) ? std::vector<std::string>{}
                                          : std::vector<std::string>{dice_.one_of(pool)});
    if (!pool.empty() && (!unbounded(field.type) || (!field.unique && dice_.chance(2))))
        return plan::literal(dice_.one_of(pool)) + "::" + type;
    return typed(field, n);
}

std::string FixtureValues::typed(const Field& field, std::size_t n) {
    const std::string number = std::to_string(n);
    const std::string days = std::to_string(static_cast<int>(dice_.random() % 800) - 400);
    switch (field.type) {
        case FieldType::date:
            return "current_date + " + days;
        case FieldType::datetime:
            return "date_trunc('second', now()) + interval '" + days + " days " + number +
                   " seconds'";
        case FieldType::time:
            return "time '08:00' + interval '" + number + " minutes'";
        case FieldType::uuid:
            return "gen_random_uuid()";
        case FieldType::email:
            return plan::literal("row" + number + "@verify.invalid");
        case FieldType::url:
            return plan::literal("https://verify.invalid/" + number);
        case FieldType::phone:
            return plan::literal("+3310000" + std::to_string(1000 + n));
        default:
            return text_value(field, n);
    }
}

// The first common form of text that the pattern accepts.
std::string FixtureValues::text_value(const Field& field, std::size_t n) {
    const std::string number = std::to_string(1000 + n);
    std::vector<std::string> forms = {
        "verify-" + number, "VERIFY-" + number,  "v" + number,      "V" + number, number,
        "1000" + number,    "10000000" + number, "Verify " + number};
    std::string array = text_array(forms), fits = "true";
    if (field.pattern) fits += " and f ~ " + plan::literal(*field.pattern);
    if (field.max_length) fits += " and length(f) <= " + std::to_string(*field.max_length);
    if (field.min_length) fits += " and length(f) >= " + std::to_string(*field.min_length);
    if (!field.pattern && !field.min_length && !field.max_length) return plan::literal(forms[0]);
    const std::string found =
        db_.text("select f from unnest(" + array + ") with ordinality as t (f, n) where " + fits +
                 " order by n limit 1");
    if (!found.empty()) return plan::literal(found);
    return field.required ? plan::literal(forms[0]) : "null";
}

const std::vector<std::string>& FixtureValues::values_of(std::size_t index, std::size_t f) {
    auto& pool = pools_[{index, f}];
    if (!pool.empty()) return pool;
    const Field& field = model_.entities[index].fields[f];
    if (field.type == FieldType::boolean) return pool = {"true", "true", "false"};
    if (field.type == FieldType::enum_) return pool = field.values;
    pool = named_values(model_, index, f);
    if (field.type == FieldType::tags) pool.insert(pool.end(), {"a", "b"});
    if (plan::is_numeric(field.type)) add_numbers(field, pool);
    return pool;
}

}  // namespace svc::devapi::verification
