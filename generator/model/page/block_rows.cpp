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

template <class List, class Item>
bool among(const List& list, const Item& item) {
    return std::find(std::begin(list), std::end(list), item) != std::end(list);
}

std::string quoted(FilterOp op) { return "\"" + std::string(base::word(op)) + "\""; }

using Op = FilterOp;
constexpr Op kWithoutValue[] = {Op::is_null,   Op::is_not_null, Op::today,    Op::yesterday,
                                Op::this_week, Op::this_month,  Op::this_year};
constexpr Op kOfDates[] = {Op::today,     Op::yesterday,   Op::this_week,   Op::this_month,
                           Op::this_year, Op::last_n_days, Op::next_n_days, Op::range};
constexpr Op kOfTexts[] = {Op::contains, Op::not_contains, Op::starts_with, Op::ends_with};
constexpr Op kOfOrder[] = {Op::lt, Op::lte, Op::gt, Op::gte, Op::between};
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
    const contract::Text op = in.text("op");
    FilterClause out;
    out.column = std::move(*column);
    out.op = base::read_word<FilterOp>(op.text).value_or(FilterOp::eq);
    if (!operator_fits(out.op, out.column, op.path)) return;
    operand(in.find("value"), out, in.path());
    out_.filter.push_back(std::move(out));
}

bool BlockReader::operator_fits(FilterOp op, const Column& column, const std::string& path) {
    const FieldType type = type_of(column);
    const bool of_texts = among(kOfTexts, op);
    const bool of_tags = op == Op::contains || op == Op::not_contains;
    const bool fits = among(kOfDates, op) ? is_dated(type)
                      : of_texts          ? is_texty(type) || (of_tags && type == FieldType::tags)
                                          : !among(kOfOrder, op) || is_ordered(type);
    if (fits) return true;
    bad(path, quoted(op) + " does not work with this field.",
        among(kOfDates, op) ? "name a date or datetime field"
        : of_texts          ? "name a string or text field"
                            : "name a number, date, time or string field");
    return false;
}

void BlockReader::operand(const Value* value, FilterClause& out, const std::string& path) {
    if (among(kWithoutValue, out.op)) {
        if (value != nullptr) bad(value->path, quoted(out.op) + " takes no value.", "remove it");
        return;
    }
    if (value == nullptr) {
        return work_.findings.missing("MISSING_KEY", path + "/value", path,
                                      quoted(out.op) + " needs a value.", "add \"value\"");
    }
    if (has_placeholders(*value) || values(out.op, *value, out.column)) {
        out.value = read_page_value(scope(false), *value);
    }
}

bool BlockReader::values(FilterOp op, const Value& value, const Column& column) {
    const auto fail = [&](const std::string& wanted) {
        bad(value.path, quoted(op) + " needs " + wanted + ".", "change the value");
        return false;
    };
    if (op == Op::last_n_days || op == Op::next_n_days) {
        const bool days = value.is(Kind::number) && is_integer(value.text) &&
                          value.text.front() != '-' && value.text.size() <= 5;
        return days || fail("a whole number of days");
    }
    if (op == Op::range) {
        if (value.is(Kind::string)) return among(kPeriods, value.text) || fail("a named period");
        const Value* from = value.find("from");
        const Value* to = value.find("to");
        if (from == nullptr && to == nullptr) return fail("{\"from\", \"to\"} or a named period");
        return (from == nullptr || one_value(*from, column)) &&
               (to == nullptr || one_value(*to, column));
    }
    if (among(kOfTexts, op)) return value.is(Kind::string) || fail("a string");
    const bool list = op == Op::in || op == Op::not_in || op == Op::between;
    if (!list) return one_value(value, column);
    if (!value.is(Kind::array) || (op == Op::between && value.items.size() != 2)) {
        return fail(op == Op::between ? "a list of two values" : "a list");
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
        value_mend(field, value, converted.problem, work_.out.app.currency));
    return false;
}

}  // namespace svc::model
