#include "migrate/diff/casts.hpp"

#include <array>
#include <string_view>

#include "plan/names.hpp"

namespace svc::migrate {
namespace {

struct Rule {
    std::string_view from, to;
    // {v} is the value, {z} the app's time zone, {out} the new value; empty keeps: always.
    std::string_view value, keeps;
};

constexpr std::string_view kText = "text", kWhole = "bigint", kNumeric = "numeric",
                           kFloat = "double precision", kBoolean = "boolean", kDate = "date",
                           kTime = "time without time zone", kStamp = "timestamp with time zone",
                           kTags = "text[]", kJson = "jsonb", kUuid = "uuid";

constexpr std::string_view kPlainText = "{v}::text";
constexpr std::string_view kIsNumber = "{out} ~ '^-?[0-9]'";
constexpr std::string_view kToJson = "to_jsonb({v})";
constexpr std::string_view kJsonNumber = "jsonb_typeof({out}) = 'number'";
// The text that the API prints.
constexpr std::string_view kStampText = "replace(replace({v}::text, ' ', 'T'), '+00', 'Z')";
constexpr std::string_view kStampJson =
    "to_jsonb(replace(replace({v}::text, ' ', 'T'), '+00', 'Z'))";
constexpr std::string_view kStampPrints = "isfinite({v}) and {v} >= '0001-01-01'";

constexpr std::array kRules = {
    Rule{kWhole, kNumeric, "{v}::numeric", ""},
    Rule{kWhole, kFloat, "{v}::double precision", "{out}::text::numeric = {v}"},
    Rule{kWhole, kText, kPlainText, ""},
    Rule{kWhole, kJson, kToJson, ""},
    Rule{kNumeric, kWhole, "{v}::bigint", "{v} = trunc({v})"},
    Rule{kNumeric, kFloat, "{v}::double precision", "{out}::text::numeric = {v} and {v} <> 'NaN'"},
    Rule{kNumeric, kText, kPlainText, kIsNumber},
    Rule{kNumeric, kJson, kToJson, kJsonNumber},
    // Casts through text: PostgreSQL's own cast rounds to 15 digits.
    Rule{kFloat, kWhole, "{v}::text::numeric::bigint", "{out}::text::numeric = {v}::text::numeric"},
    Rule{kFloat, kNumeric, "{v}::text::numeric",
         "{v} not in ('NaN', 'Infinity', '-Infinity') and {out}::double precision = {v}"},
    Rule{kFloat, kText, kPlainText, kIsNumber},
    Rule{kFloat, kJson, kToJson, kJsonNumber},
    Rule{kBoolean, kText, kPlainText, ""},
    Rule{kBoolean, kJson, kToJson, ""},
    // Only what prints again as it was written: "007" is not a number, "yes" no boolean.
    Rule{kText, kWhole, "{v}::bigint", "{out}::text = {v}"},
    Rule{kText, kNumeric, "{v}::numeric", "{out}::text = {v} and {v} ~ '^-?[0-9]'"},
    Rule{kText, kFloat, "{v}::double precision", "{out}::text = {v} and {v} ~ '^-?[0-9]'"},
    Rule{kText, kBoolean, "{v}::boolean", "{out}::text = {v}"},
    Rule{kText, kDate, "{v}::date", "{out}::text = {v} and {v} ~ '^[0-9]'"},
    Rule{kText, kTime, "{v}::time", "{v} ~ '^[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?$'"},
    // A moment, not a date with an hour that depends on where it is read.
    Rule{kText, kStamp, "{v}::timestamptz",
         "{v} ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?"
         "(Z|[+-][0-9]{2}(:?[0-9]{2})?)$'"},
    Rule{kText, kTags, "case when {v} is not null then array[{v}] end", ""},
    Rule{kText, kJson, "{v}::jsonb",
         "pg_temp.svc_parts({v}::json) = pg_temp.svc_parts({out}::json)"},
    Rule{kText, kUuid, "{v}::uuid", "{out}::text = lower({v})"},
    Rule{kDate, kText, kPlainText, "isfinite({v})"},
    Rule{kDate, kJson, kToJson, ""},
    Rule{kDate, kStamp, "{v}::timestamp at time zone {z}",
         "isfinite({v}) and ({out} at time zone {z})::date = {v}"},
    Rule{kTime, kText, kPlainText, ""},
    Rule{kTime, kJson, kToJson, ""},
    Rule{kStamp, kDate, "({v} at time zone {z})::date",
         "isfinite({v}) and {out}::timestamp at time zone {z} = {v}"},
    Rule{kStamp, kText, kStampText, kStampPrints},
    Rule{kStamp, kJson, kStampJson, kStampPrints},
    Rule{kTags, kText, "({v})[1]", "cardinality({v}) = 1 and ({v})[1] is not null"},
    Rule{kTags, kJson, kToJson, ""},
    Rule{kJson, kText, kPlainText, ""},
    Rule{kJson, kWhole, "({v} #>> '{}')::bigint", "to_jsonb({out}) = {v}"},
    Rule{kJson, kNumeric, "({v} #>> '{}')::numeric", "to_jsonb({out}) = {v}"},
    Rule{kJson, kFloat, "({v} #>> '{}')::double precision", "to_jsonb({out}) = {v}"},
    Rule{kJson, kBoolean, "({v} #>> '{}')::boolean", "to_jsonb({out}) = {v}"},
    Rule{kJson, kDate, "({v} #>> '{}')::date", "to_jsonb({out}) = {v}"},
    Rule{kJson, kTime, "({v} #>> '{}')::time", "to_jsonb({out}) = {v}"},
    Rule{kJson, kStamp, "({v} #>> '{}')::timestamptz",
         "to_jsonb(replace(replace({out}::text, ' ', 'T'), '+00', 'Z')) = {v}"},
    Rule{kJson, kTags, "pg_temp.svc_tags({v})", "to_jsonb({out}) = {v}"},
    Rule{kJson, kUuid, "({v} #>> '{}')::uuid", "to_jsonb({out}) = {v}"},
    Rule{kUuid, kText, kPlainText, ""},
    Rule{kUuid, kJson, kToJson, ""},
};

// Types of columns made by hand, as the nearest type of a contract's column.
std::string_view family(std::string_view type) {
    if (type.starts_with(kNumeric)) return kNumeric;
    if (type == "integer" || type == "smallint") return kWhole;
    if (type.starts_with("character varying")) return kText;
    return type;
}

std::string filled(std::string_view pattern, std::string_view placeholder, const std::string& by) {
    std::string out(pattern);
    for (auto at = out.find(placeholder); at != std::string::npos;
         at = out.find(placeholder, at + by.size())) {
        out.replace(at, placeholder.size(), by);
    }
    return out;
}

const Rule* rule_between(std::string_view from, std::string_view to) {
    for (const Rule& rule : kRules) {
        if (rule.from == from && rule.to == to) return &rule;
    }
    return nullptr;
}

bool known(std::string_view type) {
    for (const Rule& rule : kRules) {
        if (rule.from == type) return true;
    }
    return false;
}

// There and back again.
Cast round_trip(const std::string& v, const std::string& from, const std::string& to) {
    const std::string value = v + "::" + to;
    return {value, "(" + value + ")::" + from + " is not distinct from " + v};
}

}  // namespace

std::optional<Cast> cast_between(const std::string& expression, const std::string& from,
                                 const std::string& to, const std::string& timezone) {
    const std::string_view was = family(from), becomes = family(to);
    if (was == becomes) return round_trip(expression, from, to);
    if (const Rule* rule = rule_between(was, becomes)) {
        const auto fill = [&](std::string_view pattern) {
            return filled(filled(pattern, "{v}", expression), "{z}", plan::literal(timezone));
        };
        std::string value = fill(rule->value);
        if (becomes != to) value = "(" + value + ")::" + to;
        // The value itself is asked for as well: making it may fail.
        std::string keeps = "(" + value + ") is not null";
        if (!rule->keeps.empty()) keeps += " and " + fill(rule->keeps);
        return Cast{value, filled(keeps, "{out}", "(" + value + ")")};
    }
    if (known(was) && known(becomes)) return std::nullopt;
    // Types that no contract makes: through text, and only what comes back the same.
    return Cast{expression + "::text::" + to,
                expression + "::text::" + to + "::text = " + expression + "::text"};
}

bool meaning_differs(const std::string& from_word, const std::string& to_word) {
    if (from_word.empty() || to_word.empty() || from_word == to_word) return false;
    return from_word == "money" || to_word == "money";
}

// svc_parts counts the parts of a JSON document, a key that stands twice as two: jsonb keeps the
// last one alone. svc_tags is a list of texts.
const char* cast_helpers() {
    return "create or replace function pg_temp.svc_parts(document json) returns bigint language "
           "sql "
           "as $$ with recursive part(v) as (select document union all select below.v from part, "
           "lateral (select value from json_each(case json_typeof(part.v) when 'object' then "
           "part.v end) union all select value from json_array_elements(case json_typeof(part.v) "
           "when 'array' then part.v end)) below(v)) select count(*) from part $$;"
           "create or replace function pg_temp.svc_tags(list jsonb) returns text[] language sql "
           "strict as "
           "$$ select coalesce(array_agg(t.tag order by t.at), '{}') from "
           "jsonb_array_elements_text(list) with ordinality t (tag, at) $$";
}

}  // namespace svc::migrate
