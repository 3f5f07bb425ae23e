#include "feed/judge/recorded_row.hpp"

#include "base/json_slice.hpp"
#include "json/value.hpp"

namespace svc::feed {

// Names of columns need no escapes in JSON.
RecordedRow::RecordedRow(std::string_view json) : there_(!json.empty()) {
    if (!base::take(json, '{')) return;
    while (!json.empty()) {
        std::string_view name = base::take_value(json);
        if (name.size() < 2 || !base::take(json, ':')) return;
        name = name.substr(1, name.size() - 2);
        columns_.emplace_back(name, base::take_value(json));
        if (!base::take(json, ',')) return;
    }
}

std::optional<std::string_view> RecordedRow::value(std::string_view column) const {
    for (const auto& [name, value] : columns_)
        if (name == column) return value;
    return std::nullopt;
}

Maybe<std::string> RecordedRow::text(std::string_view column) const {
    const json::Value found = json::parse(value(column).value_or("null")).value;
    return found.is(json::Value::Kind::null) ? Maybe<std::string>() : found.text;
}

}  // namespace svc::feed
