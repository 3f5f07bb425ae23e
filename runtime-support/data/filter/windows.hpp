// Named ranges as windows of time: from and to, `to` excluded, and the same of the period before.
// They mean the same in filters and in aggregates: whole periods, or so many days up to now, of
// dates with today as the last.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/words.hpp"
#include "data/query_text.hpp"
#include "svc/entity.hpp"

namespace svc::data::filter {

struct WindowScope {
    Type type;                // of the filtered column: date or timestamp
    const std::string& zone;  // SQL of type text: whose days, weeks, months
    bool to_date = false;     // ends now; the previous period then ends at the same point
};

// SQL of the column's type. For the range `all` each is "null".
struct Window {
    std::string from, to, previous_from, previous_to;
};

// Refuses with PARAMS_INVALID if there is no such range.
Result<Window> named_window(std::string_view range, const WindowScope& scope);

enum class Bucket : std::uint8_t { day, week, month };

// SQL of type date: the first day of the bucket in which a value of type `type` lies.
std::string bucket_of(Bucket bucket, const std::string& value, Type type, const std::string& zone);
// The bucket of the last moment before `value`.
std::string bucket_before(Bucket bucket, const std::string& value, Type type,
                          const std::string& zone);

}  // namespace svc::data::filter

// As requests name them, and PostgreSQL's date_trunc.
template <>
struct svc::base::Words<svc::data::filter::Bucket> {
    static constexpr std::array<std::string_view, 3> kAll = {"day", "week", "month"};
};
