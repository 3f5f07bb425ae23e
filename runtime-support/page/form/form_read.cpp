// Reads the typed values of a form into the body of a write.
#include <algorithm>
#include <optional>

#include "base/ascii.hpp"
#include "base/json_text.hpp"
#include "page/form/form.hpp"
#include "page/rows/rows_query.hpp"
#include "page/value/amount.hpp"
#include "page/value/value.hpp"
#include "page/value/when.hpp"

namespace svc::page {
namespace {

// A value as JSON, or what is wrong with it.
struct Typed {
    std::string json, problem;
};

Typed typed_as(std::optional<std::string> value, std::string_view otherwise) {
    if (value) return {std::move(*value), {}};
    return {{}, std::string(otherwise)};
}

Typed typed_json(const std::string& text) {
    const json::Parsed parsed = json::parse(text);  // knows how deep a value may be
    if (!parsed.error.empty() || parsed.nul) return {{}, "This is not JSON."};
    return {parsed.value.shown(), {}};
}

std::string typed_tags(std::string_view text) {
    std::string out = "[";
    while (!text.empty()) {
        const std::string_view one = text.substr(0, text.find(','));
        text.remove_prefix(std::min(text.size(), one.size() + 1));
        const std::string_view tag = base::trim(one);
        if (tag.empty()) continue;
        if (out.size() > 1) out += ',';
        base::append_json(out, tag);
    }
    return out + "]";
}

Typed typed_whole(const std::string& text) {
    const auto number = typed_number(text);
    const bool whole = number && number->find('.') == std::string::npos;
    return typed_as(whole ? number : std::nullopt, "Write a whole number.");
}

std::string money_problem(const Visit& visit) {
    const unsigned digits = visit.site().digits;
    if (digits == 0) return "Write an amount without a decimal point: 1200.";
    return "Write an amount with at most " + std::to_string(digits) +
           " digits after the decimal point: " + as_amount("120050", digits) + ".";
}

Typed typed_value(const Visit& visit, const Field& field, const std::string& text) {
    switch (field.kind) {
        case FieldKind::integer:
            return typed_whole(text);
        case FieldKind::number:
        case FieldKind::decimal:
        case FieldKind::floating:
            return typed_as(typed_number(text), "Write a number: 1200 or 1200.50.");
        case FieldKind::money:
            return typed_as(typed_money(text, visit.site().digits), money_problem(visit));
        case FieldKind::json:
            return typed_json(text);
        case FieldKind::tags:
            return {typed_tags(text), {}};
        case FieldKind::datetime: {
            const auto moment = typed_moment(text, visit.in.zone.get());
            if (!moment) return {{}, "Write a day and a time."};
            return {base::json_string(*moment), {}};
        }
        default:
            return {base::json_string(text), {}};
    }
}

bool is_text(FieldKind kind) { return kind == FieldKind::text || kind == FieldKind::json; }

// Browsers send line breaks as CR LF; clean_text has left the CR out. Spaces around a single line
// are nobody's intention.
std::string as_typed(const Field& field, std::string_view text) {
    return std::string(is_text(field.kind) ? text : base::trim(text));
}

class FormReader {
  public:
    FormReader(const Visit& visit, const Block& block, Problems& problems)
        : visit_(visit), block_(block), problems_(problems), changes_(changes_row(block)) {}

    std::string read() {
        for (const std::size_t column : asked_columns(visit_, block_)) one(column);
        for (const Pair& pair : block_.set) {
            const auto at = std::ranges::find(block_.entity->columns, pair.name, &Column::name);
            const auto index = static_cast<std::size_t>(at - block_.entity->columns.begin());
            if (at != block_.entity->columns.end() &&
                may_send(visit_, *block_.entity, index, changes_))
                add(pair.name, filled_json(visit_, pair.value));
        }
        return out_.empty() ? "{}" : "{" + out_ + "}";
    }

  private:
    void one(std::size_t index) {
        const Column& column = block_.entity->columns[index];
        const Field& field = table_of(visit_, *block_.entity).fields[index];
        const std::string name(column.name);
        if (field.kind == FieldKind::file) return file(column, field);
        if (field.kind == FieldKind::boolean) {
            // A box that is not ticked sends nothing: that the form had it, another member says.
            if (visit_.form.has("has." + name))
                add(name, visit_.form.has("f." + name) ? "true" : "false");
            return;
        }
        const std::string* sent = visit_.form.find("f." + name);
        if (!sent) return;
        const std::string* before = visit_.form.find("o." + name);
        if (before && *before == *sent) return;
        const std::string text = as_typed(field, *sent);
        if (text.empty()) return nothing(column, field);
        Typed typed = typed_value(visit_, field, text);
        if (typed.problem.empty())
            add(name, typed.json);
        else
            problems_.fields.emplace_back(name, std::move(typed.problem));
    }

    // Takes the chosen file, else one that the form has uploaded before. Else the row keeps its
    // own.
    void file(const Column& column, const Field& field) {
        const std::string name(column.name);
        const SentFile* sent = visit_.file("f." + name);
        const std::string_view kept = visit_.form.text("k." + name);
        if (sent && sent->id.empty())
            problems_.fields.emplace_back(name, sent->problem);
        else if (sent)
            add(name, base::json_string(sent->id));
        else if (!kept.empty())
            add(name, base::json_string(kept));
        else if (changes_ ? visit_.form.has("x." + name) : column.required)
            nothing(column, field);
    }

    // In a new row the column gets its default; in an existing row its value is removed.
    void nothing(const Column& column, const Field& field) {
        const std::string name(column.name);
        if (changes_ ? column.required : column.required && !field.has_default)
            problems_.fields.emplace_back(
                name, (field.kind == FieldKind::file ? "Choose a file for " : "Fill in ") +
                          lower_first(field.label) + ".");
        else if (changes_)
            add(name, "null");
    }

    void add(std::string_view name, std::string_view value) {
        if (!out_.empty()) out_ += ',';
        base::append_json(out_, name);
        out_ += ':';
        out_ += value;
    }

    const Visit& visit_;
    const Block& block_;
    Problems& problems_;
    const bool changes_;
    std::string out_;
};

}  // namespace

std::string read_form(const Visit& visit, const Block& block, Problems& problems) {
    return FormReader(visit, block, problems).read();
}

}  // namespace svc::page
