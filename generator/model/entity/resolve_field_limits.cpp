// How the values of a field are written, and between which limits they are.
#include <algorithm>

#include "model/names.hpp"
#include "model/parts.hpp"
#include "model/value_mend.hpp"
#include "model/values.hpp"

namespace svc::model {
namespace {

using contract::Value;

std::optional<std::uint32_t> characters(Work work, const Value& value) {
    const bool sound = value.is(Value::Kind::number) && is_integer(value.text) &&
                       value.text.front() != '-' && value.text.size() <= 8;
    if (sound) return static_cast<std::uint32_t>(std::stoul(value.text));
    work.findings.error("BAD_OPTION", value.path,
                        "The length of a string must be a whole number from 0 to 99999999.",
                        "write a number of characters, such as 200");
    return std::nullopt;
}

std::optional<std::string> limit(Work work, const Field& field, const Value& value) {
    Field without_limits = field;
    without_limits.min.reset();
    without_limits.max.reset();
    const Converted converted = pg_text(without_limits, value);
    if (!converted.text) {
        work.findings.error("BAD_OPTION", value.path, "This limit " + converted.problem + ".",
                            value_mend(field, value, converted.problem, work.out.app.currency));
    }
    return converted.text;
}

// /^[a-z]+$/i, as JavaScript writes it.
bool is_slashed(const std::string& pattern) {
    const std::size_t last = pattern.rfind('/');
    if (!pattern.starts_with('/') || last < 2) return false;
    const std::string flags = pattern.substr(last + 1);
    const bool anchored = pattern[1] == '^' || pattern[last - 1] == '$';
    return flags.empty() ? anchored : flags.find_first_not_of("gimsuy") == std::string::npos;
}

}  // namespace

bool has_limits(FieldType type) {
    return is_text(type) || is_number(type) || type == FieldType::date || type == FieldType::time ||
           type == FieldType::datetime;
}

void resolve_form(Work work, const contract::Field& in, Field& out) {
    if (in.scale) {
        out.scale = static_cast<unsigned>(std::stoul(in.scale->text));
        if (*out.scale > 30) {
            work.findings.error("BAD_OPTION", in.scale->path, "\"scale\" must be from 0 to 30.",
                                "use a number from 0 to 30");
        }
    }
    if (in.prefix) {
        out.prefix = in.prefix->text;
        if (out.prefix.size() > 20) {
            work.findings.error("BAD_OPTION", in.prefix->path, "A prefix has at most 20 bytes.",
                                "shorten it");
        }
    }
    if (in.pattern) {
        out.pattern = in.pattern->text;
        if (!is_balanced_pattern(*out.pattern)) {
            work.findings.error(
                "BAD_PATTERN", in.pattern->path,
                "A bracket, a parenthesis or an escape in this pattern is not closed.",
                "close it; if it stands for itself, write \\\\ before it");
        } else if (is_slashed(*out.pattern)) {
            work.findings.warning("PATTERN_WITH_SLASHES", in.pattern->path,
                                  "This pattern matches only strings with slashes: the slashes "
                                  "and the flags are part of it.",
                                  "remove the slashes and the flags");
        }
    }
}

void resolve_limits(Work work, const contract::Field& in, Field& out) {
    if (out.type == FieldType::string) out.max_length = 255;
    if (is_text(out.type)) {
        if (in.min) out.min_length = characters(work, *in.min);
        if (in.max) out.max_length = characters(work, *in.max);
    } else if (has_limits(out.type)) {
        if (in.min) out.min = limit(work, out, *in.min);
        if (in.max) out.max = limit(work, out, *in.max);
    }
    Field only_max = out;
    only_max.min.reset();
    only_max.min_length.reset();
    const bool crossed =
        (out.min_length && out.max_length && *out.min_length > *out.max_length) ||
        (out.min && out.max && in.min && !is_text(out.type) && !pg_text(only_max, *in.min).text);
    if (crossed) {
        work.findings.error("BAD_OPTION", in.min ? in.min->path : in.path,
                            "\"min\" is greater than \"max\".", "swap the two values");
    }
}

}  // namespace svc::model
