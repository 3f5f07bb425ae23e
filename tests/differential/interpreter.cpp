#include "interpreter.hpp"

#include <algorithm>

#include "model/expr/typer.hpp"
#include "model/values.hpp"

namespace svc::differential {
namespace {

using model::CallerAttribute;
using model::Expr;
using model::ExprFunction;
using model::ExprKind;
using model::ExprType;
using model::FieldType;
using model::Root;
using model::Step;

bool is_null(const Value& value) { return value.index() == 0; }

template <class T>
Value of(const Maybe<T>& value) {
    return value.known() ? Value(*value) : Value();
}
Value of(const Maybe<std::int64_t>& value) {
    return value.known() ? Value(Number(*value)) : Value();
}
template <class T>
Maybe<T> as(const Value& value) {
    return is_null(value) ? Maybe<T>() : Maybe<T>(std::get<T>(value));
}

// Both are known and of one kind.
template <class Compare>
bool compared(const Value& a, const Value& b, Compare compare) {
    return std::visit(
        [&](const auto& left) {
            using T = std::decay_t<decltype(left)>;
            if constexpr (std::is_same_v<T, std::monostate> || std::is_same_v<T, TagList>) {
                throw std::logic_error("no comparison");
                return false;
            } else {
                return compare(left, std::get<T>(b));
            }
        },
        a);
}

bool equal(const Value& a, const Value& b) {
    return !is_null(a) && !is_null(b) &&
           compared(a, b, [](const auto& x, const auto& y) { return x == y; });
}
bool below(const Value& a, const Value& b) {
    return !is_null(a) && !is_null(b) &&
           compared(a, b, [](const auto& x, const auto& y) { return x < y; });
}

bool over_many(const Expr& expr) {
    return expr.kind == ExprKind::path &&
           std::any_of(expr.steps.begin(), expr.steps.end(),
                       [](const Step& step) { return step.kind == Step::Kind::many; });
}

Value read(FieldType type, const Record& cell) {
    switch (type) {
        case FieldType::integer:
        case FieldType::money:
            return of(cell.integer(0));
        case FieldType::number:
        case FieldType::decimal:
            return of(cell.decimal(0));
        case FieldType::float_:
            return of(cell.floating(0));
        case FieldType::boolean:
            return of(cell.boolean(0));
        case FieldType::date:
            return of(cell.date(0));
        case FieldType::time:
            return of(cell.time(0));
        case FieldType::datetime:
            return of(cell.timestamp(0));
        case FieldType::tags:
            return of(cell.tags(0));
        default:
            return std::string(*cell.text(0));
    }
}

}  // namespace

Interpreter::Interpreter(const model::Model& model, const plan::Plan& plan, const World& world)
    : model_(model), plan_(plan), world_(world), people_(people(plan)) {}

std::optional<std::vector<Answers>> Interpreter::answers(const Expr& expr, bool rule) try {
    std::vector<Answers> out;
    for (const Person& person : people_) {
        person_ = &person;
        Answers one;
        for (int i = 0; i < kThings; ++i) {
            const auto at = static_cast<std::size_t>(i);
            row_ = before_ = &world_.before()[at];
            after_ = rule ? &world_.after()[at] : row_;
            one += holds(expr) ? '1' : '0';
        }
        out.push_back(std::move(one));
    }
    return out;
} catch (const NoOpinion&) {
    return std::nullopt;
}

bool Interpreter::is(const Value& value) { return !is_null(value) && std::get<bool>(value); }

Value Interpreter::value(const Expr& expr) {
    switch (expr.kind) {
        case ExprKind::literal:
            return literal(expr);
        case ExprKind::path: {
            if (expr.root == Root::user) return user(expr.attribute);
            const std::vector<Value> values = reached(expr);
            return values.empty() ? Value() : values.front();
        }
        case ExprKind::not_:
            return !holds(*expr.args[0]);
        case ExprKind::and_:
            return std::all_of(expr.args.begin(), expr.args.end(),
                               [&](const auto& arg) { return holds(*arg); });
        case ExprKind::or_:
            return std::any_of(expr.args.begin(), expr.args.end(),
                               [&](const auto& arg) { return holds(*arg); });
        case ExprKind::eq:
        case ExprKind::ne:
        case ExprKind::lt:
        case ExprKind::le:
        case ExprKind::gt:
        case ExprKind::ge:
            return compare(expr);
        case ExprKind::in:
            return member(expr);
        case ExprKind::negate:
        case ExprKind::add:
        case ExprKind::sub:
        case ExprKind::mul:
        case ExprKind::div:
            return arithmetic(expr);
        case ExprKind::call:
            return call(expr);
        case ExprKind::list:
            break;
    }
    throw std::logic_error("a list is no value");
}

Value Interpreter::literal(const Expr& expr) const {
    switch (expr.type) {
        case ExprType::boolean:
            return expr.text == "true";
        case ExprType::integer:
        case ExprType::decimal:
            return of(Number::parse(expr.text));
        case ExprType::date:
            return of(day(expr.text));
        case ExprType::time:
            return of(time_of_day(expr.text));
        case ExprType::timestamp:
            return expr.text.size() == 10 ? midnight(of(day(expr.text))) : of(moment(expr.text));
        case ExprType::null:
            return {};
        case ExprType::uuid: {
            std::string text = expr.text;
            for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
            return text;
        }
        default:
            return expr.text;
    }
}

// Null is a value to == and != alone, and only as the word itself.
bool Interpreter::compare(const Expr& expr) {
    if (expr.kind == ExprKind::ne) {
        Expr same = expr;
        same.kind = ExprKind::eq;
        return !compare(same);
    }
    const Value left = value(*expr.args[0]);
    const Value right = value(*expr.args[1]);
    if (is_null_literal(*expr.args[0])) return is_null(right);
    if (is_null_literal(*expr.args[1])) return is_null(left);
    if (is_null(left) || is_null(right)) return false;
    if (expr.kind == ExprKind::eq) return equal(left, right);
    if (expr.kind == ExprKind::lt) return below(left, right);
    if (expr.kind == ExprKind::gt) return below(right, left);
    return expr.kind == ExprKind::le ? !below(right, left) : !below(left, right);
}

bool Interpreter::member(const Expr& expr) {
    const Value needle = value(*expr.args[0]);
    const Expr& list = *expr.args[1];
    const auto is_needle = [&](const Value& each) { return equal(needle, each); };
    if (list.kind == ExprKind::list) {
        return std::any_of(list.args.begin(), list.args.end(),
                           [&](const auto& item) { return is_needle(value(*item)); });
    }
    if (over_many(list)) {
        const std::vector<Value> values = reached(list);
        return std::any_of(values.begin(), values.end(), is_needle);
    }
    const Value tags = value(list);
    if (is_null(tags) || is_null(needle)) return false;
    const auto& all = std::get<TagList>(tags).tags;
    return std::find(all.begin(), all.end(), std::get<std::string>(needle)) != all.end();
}

Value Interpreter::midnight(const Value& day) const {
    if (model_.app.timezone != "UTC") throw NoOpinion("midnight");
    return of(svc::midnight(as<Day>(day)));
}

Value Interpreter::arithmetic(const Expr& expr) {
    Value a = value(*expr.args[0]);
    if (expr.kind == ExprKind::negate) {
        if (expr.type == ExprType::duration) return of(-as<Span>(a));
        return of(-as<Number>(a));
    }
    Value b = value(*expr.args[1]);
    const ExprType left = expr.args[0]->type, right = expr.args[1]->type;
    const bool adds = expr.kind == ExprKind::add;
    if (expr.type == ExprType::text) return of(as<std::string>(a) + as<std::string>(b));
    if (left == ExprType::date && right == ExprType::date) return of(as<Day>(a) - as<Day>(b));
    if (expr.type == ExprType::date) {
        const bool first = left == ExprType::date;
        const std::int64_t days = *model::whole_days(*expr.args[first ? 1 : 0]);
        return of(days_after(as<Day>(first ? a : b), adds ? days : -days));
    }
    if (expr.type == ExprType::timestamp) {
        if (left == ExprType::date) a = midnight(a);
        if (right == ExprType::date) b = midnight(b);
        if (left == ExprType::duration) return of(as<Moment>(b) + as<Span>(a));
        return of(adds ? as<Moment>(a) + as<Span>(b) : as<Moment>(a) - as<Span>(b));
    }
    if (expr.type == ExprType::duration && left == ExprType::timestamp) {
        return of(as<Moment>(a) - as<Moment>(b));
    }
    if (expr.type == ExprType::duration) {
        return of(adds ? as<Span>(a) + as<Span>(b) : as<Span>(a) - as<Span>(b));
    }
    const Maybe<Number> x = as<Number>(a), y = as<Number>(b);
    if (adds) return of(x + y);
    if (expr.kind == ExprKind::sub) return of(x - y);
    if (expr.kind == ExprKind::mul) return of(x * y);
    return of(expr.type == ExprType::integer ? whole_quotient(x, y) : x / y);
}

Value Interpreter::user(CallerAttribute attribute) const {
    const auto text = [](const Cell& cell) { return cell ? Value(*cell) : Value(); };
    switch (attribute) {
        case CallerAttribute::id:
            return text(person_->id);
        case CallerAttribute::persona:
            return text(person_->persona);
        case CallerAttribute::org:
            return text(person_->org);
        case CallerAttribute::is_admin:
            return person_->is_admin;
        case CallerAttribute::email:
            break;
    }
    return text(person_->email);
}

std::size_t Interpreter::column(std::size_t entity, const std::string& name) const {
    const auto& columns = plan_.entities[entity].columns;
    const auto at = std::find_if(columns.begin(), columns.end(),
                                 [&](const auto& each) { return each.name == name; });
    return static_cast<std::size_t>(at - columns.begin());
}

Value Interpreter::field(const Step& step, Row row) const {
    const bool clock = step.builtin == "created_at" || step.builtin == "updated_at";
    const FieldType type = clock ? FieldType::datetime
                           : !step.builtin.empty()
                               ? FieldType::uuid
                               : model_.entities[step.entity].fields[step.field].type;
    const std::string& name =
        step.builtin.empty() ? model_.entities[step.entity].fields[step.field].name : step.builtin;
    const Cell& cell = (*row)[column(step.entity, name)];
    if (!cell) return {};
    const Text text = std::string_view(*cell);
    return read(type, Record({&text, 1}));
}

std::vector<Interpreter::Row> Interpreter::next(const Step& step, Row row) const {
    std::vector<Row> out;
    const bool up = step.kind == Step::Kind::ref;
    const auto& from = model_.entities[up ? step.entity : step.target].fields[step.field].name;
    const Cell& mine = (*row)[up ? column(step.entity, from) : 0];
    const std::size_t theirs = up ? 0 : column(step.target, from);
    if (!mine) return out;
    for (const Cells& each : world_.table(step.target)) {
        if (each[theirs] == mine) out.push_back(&each);
    }
    return out;
}

std::vector<Value> Interpreter::reached(const Expr& path) {
    std::vector<Row> rows = {path.root == Root::new_   ? after_
                             : path.root == Root::old_ ? before_
                                                       : row_};
    for (const Step& step : path.steps) {
        if (step.kind == Step::Kind::field) {
            std::vector<Value> values;
            for (Row row : rows) values.push_back(field(step, row));
            return values;
        }
        std::vector<Row> further;
        for (Row row : rows) {
            for (Row each : next(step, row)) further.push_back(each);
        }
        rows = std::move(further);
    }
    std::vector<Value> ids;
    for (Row row : rows) ids.emplace_back(*(*row)[0]);
    return ids;
}

Value Interpreter::over_rows(const Expr& expr) {
    std::vector<Value> values = reached(*expr.args[0]);
    if (expr.function == ExprFunction::exists) return !values.empty();
    if (expr.function == ExprFunction::count)
        return Number(static_cast<std::int64_t>(values.size()));
    if (expr.function == ExprFunction::all) return std::all_of(values.begin(), values.end(), is);
    Value out = expr.function == ExprFunction::sum ? Value(Number(0)) : Value();
    for (const Value& each : values) {
        if (is_null(each)) continue;
        if (expr.function == ExprFunction::sum) {
            out = std::get<Number>(out).plus(std::get<Number>(each));
        } else if (is_null(out) ||
                   (expr.function == ExprFunction::min ? below(each, out) : below(out, each))) {
            out = each;
        }
    }
    return out;
}

Value Interpreter::chosen(const Expr& expr) {
    Value out;
    for (const auto& arg : expr.args) {
        const Value each = value(*arg);
        if (is_null(each)) continue;
        if (expr.function == ExprFunction::coalesce) return each;
        if (is_null(out) ||
            (expr.function == ExprFunction::min ? below(each, out) : below(out, each)))
            out = each;
    }
    return out;
}

Value Interpreter::about_texts(const Expr& expr) {
    const ExprFunction function = expr.function;
    if (function == ExprFunction::lower || function == ExprFunction::upper ||
        function == ExprFunction::matches)
        throw NoOpinion(std::string(base::word(function)));
    const Value subject = value(*expr.args[0]);
    if (function == ExprFunction::size && expr.args[0]->type == ExprType::tags) {
        return of(length(as<TagList>(subject)));
    }
    const Maybe<std::string> text =
        expr.args[0]->type == ExprType::tags ? Maybe<std::string>() : as<std::string>(subject);
    if (function == ExprFunction::size) return of(length(text));
    if (function == ExprFunction::trim) {
        const Text cut = trimmed(text);
        return cut.known() ? Value(std::string(*cut)) : Value();
    }
    const Maybe<std::string> other = as<std::string>(value(*expr.args[1]));
    if (expr.args[0]->type == ExprType::tags) return of(contains(as<TagList>(subject), other));
    if (function == ExprFunction::contains) return of(contains(text, other));
    return of(function == ExprFunction::starts_with ? starts_with(text, other)
                                                    : ends_with(text, other));
}

Value Interpreter::call(const Expr& expr) {
    const ExprFunction function = expr.function;
    if (function == ExprFunction::now) return of(moment(world_.now()));
    if (function == ExprFunction::today) return of(day(world_.today()));
    if (function == ExprFunction::duration) {
        return of(seconds(static_cast<std::int64_t>(*model::seconds_of(expr.args[0]->text))));
    }
    if (function == ExprFunction::date) {
        if (model_.app.timezone != "UTC") throw NoOpinion("date");
        return of(day_of(as<Moment>(value(*expr.args[0]))));
    }
    if (function == ExprFunction::moment) return midnight(value(*expr.args[0]));
    if (function == ExprFunction::changed) {
        const Step& step = expr.args[0]->steps[0];
        const std::size_t at =
            column(kThing, step.builtin.empty() ? model_.entities[kThing].fields[step.field].name
                                                : step.builtin);
        if ((*after_)[at] == (*before_)[at]) return false;
        const Value a = field(step, after_), b = field(step, before_);
        if (is_null(a) || is_null(b) || a.index() == Value(TagList()).index()) return true;
        if (std::get_if<Number>(&a) != nullptr)
            throw NoOpinion("changed: what is beyond 15 digits");
        return !equal(a, b);
    }
    if (!expr.args.empty() && over_many(*expr.args[0])) return over_rows(expr);
    if (function == ExprFunction::exists) return !is_null(value(*expr.args[0]));
    if (function == ExprFunction::coalesce || function == ExprFunction::min ||
        function == ExprFunction::max)
        return chosen(expr);
    if (function == ExprFunction::abs) return of(absolute(as<Number>(value(*expr.args[0]))));
    if (function == ExprFunction::round) {
        const int places = expr.args.size() > 1 ? std::stoi(expr.args[1]->text) : 0;
        return of(rounded(as<Number>(value(*expr.args[0])), places));
    }
    return about_texts(expr);
}

}  // namespace svc::differential
