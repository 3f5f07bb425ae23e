#include "check/exposure/exposure_cells.hpp"

#include <algorithm>

namespace svc::check {
namespace {

// The parts of a cell that were added and removed.
struct Moved {
    bool more = false, less = false;
};

Moved moved(const Formula& before, const Formula& after) {
    if (text(before) == text(after)) return {};
    const auto kept = implies(before, after);
    const auto within = implies(after, before);
    return {within != true, kept != true};
}

void add(Moved& all, const Moved& one) {
    all.more = all.more || one.more;
    all.less = all.less || one.less;
}

const Formula& rows_of(const Cell& cell, const std::string& field) {
    static const Formula kNone;
    for (const FieldAccess& access : cell.fields) {
        if (access.name == field) return access.where;
    }
    return kNone;
}

void compare_field(const std::string& field, const Cell& before, const Cell& after,
                   ExposureChange& out, Moved& all) {
    const Formula& was = rows_of(before, field);
    const Formula& is = rows_of(after, field);
    if (was.is_no() && is.is_no()) return;
    if (was.is_no()) out.fields_more.push_back(field);
    if (is.is_no()) out.fields_less.push_back(field);
    // A field that follows its rows changes with them.
    const bool follows = text(was) == text(before.rows) && text(is) == text(after.rows);
    const Moved by = moved(was, is);
    if (!follows && !was.is_no() && !is.is_no() && (by.more || by.less)) {
        out.fields_other.push_back(field);
    }
    add(all, by);
}

// If a whole cell opens or closes, the changes of its fields are not reported separately.
void leave_whole_cells(const Cell& before, const Cell& after, ExposureChange& out) {
    if (before.rows.is_no()) out.fields_more.clear();
    if (after.rows.is_no()) out.fields_less.clear();
}

bool is_conditional(const Cell& cell) {
    return !cell.rows.is_yes() ||
           std::any_of(cell.fields.begin(), cell.fields.end(),
                       [](const FieldAccess& field) { return !field.where.is_yes(); });
}

// Names that the conditions of both cells use with different meanings, each with its meaning in
// `cell`: ", where doc.ok is n > 1".
std::string redefined(const Cell& cell, const Cell& other) {
    if (!is_conditional(cell) || !is_conditional(other)) return {};
    std::string out;
    for (const auto& [name, what] : cell.meaning) {
        const auto same = other.meaning.find(name);
        if (same == other.meaning.end() || same->second == what) continue;
        out += std::string(out.empty() ? ", with " : ", ") + name + " = " + what;
    }
    return out;
}

// Includes the effect of a transition if the effect has changed.
std::string described(const Cell& cell, const Cell& other) {
    const bool effect_differs =
        !cell.effect.empty() && !other.rows.is_no() && cell.effect != other.effect;
    return rows_text(cell.rows) + redefined(cell, other) +
           (effect_differs ? ", " + cell.effect : "");
}

}  // namespace

std::optional<ExposureChange> compare_cells(const Cell& before, const Cell& after) {
    ExposureChange out;
    Moved all = moved(before.rows, after.rows);
    for (const FieldAccess& field : after.fields)
        compare_field(field.name, before, after, out, all);
    for (const FieldAccess& field : before.fields) {
        if (rows_of(after, field.name).is_no()) compare_field(field.name, before, after, out, all);
    }
    const bool open = !before.rows.is_no() && !after.rows.is_no();
    if (open && before.effect != after.effect) all = {true, true};
    if (open && !redefined(before, after).empty()) all = {true, true};
    if (!all.more && !all.less) return std::nullopt;
    leave_whole_cells(before, after, out);
    out.operation = after.operation;
    out.before = described(before, after);
    out.after = described(after, before);
    out.direction = all.more && all.less ? Direction::changed
                    : all.more           ? Direction::widened
                                         : Direction::narrowed;
    return out;
}

}  // namespace svc::check
