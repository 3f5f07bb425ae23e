// list, table, grid, board, detail; filters.
#include <algorithm>
#include <string_view>

#include "model/names.hpp"
#include "model/page/block_reader.hpp"
#include "model/value_mend.hpp"
#include "model/values.hpp"

namespace svc::model {
namespace {

using Kind = contract::Value::Kind;

template <typename List>
bool among(const List& list, std::string_view word) {
    return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

constexpr std::string_view kWithoutValue[] = {"is_null",   "is_not_null", "today",    "yesterday",
                                              "this_week", "this_month",  "this_year"};
constexpr std::string_view kOfDates[] = {"today",     "yesterday",   "this_week",   "this_month",
                                         "this_year", "last_n_days", "next_n_days", "range"};
constexpr std::string_view kOfTexts[] = {"contains", "not_contains", "starts_with", "ends_with"};
constexpr std::string_view kOfOrder[] = {"lt", "lte", "gt", "gte", "between"};
constexpr std::string_view kPeriods[] = {"today",      "yesterday",    "this_week",
                                         "this_month", "this_quarter", "this_year"};

bool is_texty(FieldType type) {
    return is_text(type) || type == FieldType::enum_ || type == FieldType::sequence;
}

bool is_ordered(FieldType type) {
    return type != FieldType::boolean && type != FieldType::json && type != FieldType::tags;
}

// A value of the type, whatever the field's limits are: a filter may ask for more than can be.
Field without_limits(FieldType type, const Field* field) {
    Field out = field != nullptr ? *field : Field{};
    out.type = type == FieldType::ref || type == FieldType::user || type == FieldType::file
                   ? FieldType::uuid
               : type == FieldType::sequence ? FieldType::text
                                             : type;
    out.min.reset();
    out.max.reset();
    out.min_length.reset();
    out.max_length.reset();
    out.pattern.reset();
    out.scale.reset();
    return out;
}

}  // namespace

void BlockReader::rows() {
    if (!source()) return;
    columns();
    if (out_.query) {
        only_of_entities({"sort", "filter", "limit", "image"});
    } else {
        filter();
        image();
        count("limit", 500);
    }
    out_.link = link("link", true);
}

void BlockReader::image() {
    out_.image = column("image");
    if (!out_.image) return;
    const FieldType type = type_of(*out_.image);
    if (type == FieldType::file || type == FieldType::url) return;
    bad(out_.image->path, "\"image\" must be a file or url field of \"" + of().name + "\".",
        "name a file or url field");
}

void BlockReader::board() {
    if (!entity()) return;
    columns();
    filter();
    count("limit", 500);
    out_.link = link("link", true);
    if (in_.find("by") != nullptr) {
        out_.by = column("by");
    } else if (of().lifecycle) {
        out_.by = Column{of().lifecycle->field, "", in_.path()};
    } else if (!work_.findings.doubts(of().path + "/lifecycle")) {
        bad(in_.path(), "This board needs \"by\": \"" + of().name + "\" has no lifecycle.",
            "add \"by\" with an enum field");
    }
    if (out_.by && type_of(*out_.by) != FieldType::enum_) {
        bad(out_.by->path, "\"by\" must be an enum or lifecycle field.",
            "name an enum or lifecycle field");
    }
}

void BlockReader::detail() {
    if (!source()) return;
    columns();
    if (out_.query) {
        only_of_entities({"id"});
    } else {
        row_id();
    }
}

void BlockReader::filter() {
    if (const Value* sort = in_.find("sort")) {
        const contract::Reader in(*sort);
        if (auto column = resolve_column(work_, *out_.entity, in.text("field"))) {
            out_.sort = Sort{std::move(*column), in.text("dir").text == "desc"};
        }
    }
    for (const Value& item : in_.items("filter")) clause(contract::Reader(item));
}

void BlockReader::clause(const contract::Reader& in) {
    auto column = resolve_column(work_, *out_.entity, in.text("field"));
    if (!column) return;
    contract::Text op = in.text("op");
    if (op.text.empty()) op.text = "eq";
    FilterClause out;
    out.column = std::move(*column);
    out.op = op.text;
    if (!operator_fits(op, out.column)) return;
    operand(op, in.find("value"), out, in.path());
    out_.filter.push_back(std::move(out));
}

bool BlockReader::operator_fits(const contract::Text& op, const Column& column) {
    const FieldType type = type_of(column);
    const bool of_texts = among(kOfTexts, op.text);
    const bool of_tags = op.text == "contains" || op.text == "not_contains";
    const bool fits = among(kOfDates, op.text) ? is_dated(type)
                      : of_texts ? is_texty(type) || (of_tags && type == FieldType::tags)
                                 : !among(kOfOrder, op.text) || is_ordered(type);
    if (fits) return true;
    bad(op.path, "\"" + op.text + "\" does not work with this field.",
        among(kOfDates, op.text) ? "name a date or datetime field"
        : of_texts               ? "name a string or text field"
                                 : "name a number, date, time or string field");
    return false;
}

void BlockReader::operand(const contract::Text& op, const Value* value, FilterClause& out,
                          const std::string& path) {
    if (among(kWithoutValue, op.text)) {
        if (value != nullptr) {
            bad(value->path, "\"" + op.text + "\" takes no value.", "remove it");
        }
        return;
    }
    if (value == nullptr) {
        return work_.findings.missing("MISSING_KEY", path + "/value", path,
                                      "\"" + op.text + "\" needs a value.", "add \"value\"");
    }
    if (has_holes(*value) || values(op.text, *value, out.column)) {
        out.value = read_page_value(scope(false), *value);
    }
}

bool BlockReader::values(const std::string& op, const Value& value, const Column& column) {
    const auto fail = [&](const std::string& wanted) {
        bad(value.path, "\"" + op + "\" needs " + wanted + ".", "change the value");
        return false;
    };
    if (op == "last_n_days" || op == "next_n_days") {
        const bool days = value.is(Kind::number) && is_integer(value.text) &&
                          value.text.front() != '-' && value.text.size() <= 5;
        return days || fail("a whole number of days");
    }
    if (op == "range") {
        if (value.is(Kind::string)) return among(kPeriods, value.text) || fail("a named period");
        const Value* from = value.find("from");
        const Value* to = value.find("to");
        if (from == nullptr && to == nullptr) return fail("{\"from\", \"to\"} or a named period");
        return (from == nullptr || one_value(*from, column)) &&
               (to == nullptr || one_value(*to, column));
    }
    if (among(kOfTexts, op)) return value.is(Kind::string) || fail("a string");
    const bool list = op == "in" || op == "not_in" || op == "between";
    if (!list) return one_value(value, column);
    if (!value.is(Kind::array) || (op == "between" && value.items.size() != 2)) {
        return fail(op == "between" ? "a list of two values" : "a list");
    }
    return std::all_of(value.items.begin(), value.items.end(),
                       [&](const Value& item) { return one_value(item, column); });
}

bool BlockReader::one_value(const Value& value, const Column& column) {
    const Field* field = field_of(column);
    return fits(value, without_limits(type_of(column), field),
                field != nullptr ? field->name : column.builtin);
}

bool BlockReader::fits(const Value& value, const Field& field, const std::string& name) {
    if (value.is(Kind::null)) return true;
    const Converted converted = pg_text(field, value);
    if (converted.text) return true;
    bad(value.path, "A value of \"" + name + "\" " + converted.problem + ".",
        value_mend(field, value, converted.problem));
    return false;
}

}  // namespace svc::model
