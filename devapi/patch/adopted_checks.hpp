// Writes a check constraint of an unmanaged table as settings of a field.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace svc::devapi::patch {

// Limits of one field. Numbers and days as JSON.
struct Limits {
    std::optional<std::string> min, max;           // of values
    std::optional<std::size_t> shortest, longest;  // of texts, in characters
    std::optional<std::string> pattern;
    std::vector<std::string> values;  // the only ones
};

// Narrows `limits` by the condition, as PostgreSQL prints it; `type` is the column's. Returns false
// if no setting of a field can express it.
bool take_check(const std::string& condition, const std::string& column, const std::string& type,
                Limits& limits);

}  // namespace svc::devapi::patch
