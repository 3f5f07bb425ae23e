#include "check/formula/formula.hpp"

#include <algorithm>
#include <utility>

namespace svc::check {
namespace {

using Op = Formula::Kind;

bool same(const Formula& one, const Formula& other) {
    if (one.kind != other.kind || one.parts.size() != other.parts.size()) return false;
    if (one.atom) return one.atom->text == other.atom->text;
    return std::equal(one.parts.begin(), one.parts.end(), other.parts.begin(), same);
}

// Parts of the same kind are taken in, and each stands once.
void add(std::vector<Formula>& parts, const Formula& part, Op kind) {
    if (part.kind == kind) {
        for (const Formula& inner : part.parts) add(parts, inner, kind);
        return;
    }
    const auto known = [&](const Formula& other) { return same(part, other); };
    if (std::none_of(parts.begin(), parts.end(), known)) parts.push_back(part);
}

Formula joined(const Formula& one, const Formula& other, Op kind) {
    const Op neutral = kind == Op::all ? Op::yes : Op::no;
    const Op final = kind == Op::all ? Op::no : Op::yes;
    if (one.kind == final || other.kind == final) return {final, nullptr, {}};
    if (one.kind == neutral) return other;
    if (other.kind == neutral) return one;
    Formula out{kind, nullptr, {}};
    if (one.kind == kind) {
        out.parts = one.parts;  // each occurs only once already
    } else {
        add(out.parts, one, kind);
    }
    add(out.parts, other, kind);
    if (out.parts.size() > 1) return out;
    Formula only = std::move(out.parts.front());
    return only;
}

Formula without(const Formula& formula, std::size_t left_out) {
    Formula out = always(formula.kind == Op::all);
    for (std::size_t i = 0; i < formula.parts.size(); ++i) {
        if (i != left_out) out = joined(out, formula.parts[i], formula.kind);
    }
    return out;
}

// Equalities of one value among the alternatives (or their opposites among the demands).
bool listable(const Formula& part, Op kind) {
    const Op wanted = kind == Op::any ? Op::holds : Op::fails;
    return part.kind == wanted && part.atom->is == Atom::Is::equal && part.atom->shown != "true" &&
           part.atom->shown != "false";
}

std::string listed(const Formula& formula, const std::string& subject) {
    std::string values;
    for (const Formula& part : formula.parts) {
        if (!listable(part, formula.kind) || part.atom->subject != subject) continue;
        values += (values.empty() ? "" : ", ") + part.atom->shown;
    }
    const std::string in = subject + " in [" + values + "]";
    return formula.kind == Op::any ? in : "!(" + in + ")";
}

// True if the formula is written as one term, which needs no brackets among others.
bool is_one_term(const Formula& formula) {
    if (formula.parts.empty()) return true;
    const Formula& first = formula.parts.front();
    return std::all_of(formula.parts.begin(), formula.parts.end(), [&](const Formula& part) {
        return listable(part, formula.kind) && part.atom->subject == first.atom->subject;
    });
}

std::string junction(const Formula& formula) {
    std::string out;
    std::vector<std::string> done;  // subjects whose values are in a list
    const auto add_text = [&](const std::string& part) {
        const char* word = formula.kind == Op::all ? " && " : " || ";
        out += (out.empty() ? "" : word) + part;
    };
    for (const Formula& part : formula.parts) {
        const auto alike = [&](const Formula& other) {
            return listable(other, formula.kind) && other.atom->subject == part.atom->subject;
        };
        const bool list = listable(part, formula.kind) &&
                          std::count_if(formula.parts.begin(), formula.parts.end(), alike) > 1;
        if (!list) {
            add_text(is_one_term(part) ? text(part) : "(" + text(part) + ")");
        } else if (std::find(done.begin(), done.end(), part.atom->subject) == done.end()) {
            done.push_back(part.atom->subject);
            add_text(listed(formula, part.atom->subject));
        }
    }
    return out;
}

}  // namespace

Formula always(bool holds) { return {holds ? Op::yes : Op::no, nullptr, {}}; }

Formula test(Atom atom) { return {Op::holds, std::make_shared<const Atom>(std::move(atom)), {}}; }

Formula both(const Formula& one, const Formula& other) { return joined(one, other, Op::all); }

Formula either(const Formula& one, const Formula& other) { return joined(one, other, Op::any); }

Formula opposite(const Formula& formula) {
    switch (formula.kind) {
        case Op::no:
        case Op::yes:
            return always(formula.is_no());
        case Op::holds:
            return {Op::fails, formula.atom, {}};
        case Op::fails:
            return {Op::holds, formula.atom, {}};
        case Op::all:
        case Op::any:
            break;
    }
    const Op kind = formula.kind == Op::all ? Op::any : Op::all;
    Formula out = always(kind == Op::all);
    for (const Formula& part : formula.parts) out = joined(out, opposite(part), kind);
    return out;
}

Formula simplified(const Formula& formula) {
    if (formula.is_no() || formula.is_yes() || !is_decidable(formula)) return formula;
    if (implies(formula, always(false)) == true) return always(false);
    if (implies(always(true), formula) == true) return always(true);
    if (formula.parts.empty()) return formula;
    Formula out = always(formula.kind == Op::all);
    for (const Formula& part : formula.parts) out = joined(out, simplified(part), formula.kind);
    for (std::size_t i = 0; i < out.parts.size();) {
        const Formula rest = without(out, i);
        const auto& [from, to] =
            out.kind == Op::all ? std::pair(rest, out.parts[i]) : std::pair(out.parts[i], rest);
        if (implies(from, to) != true) {
            ++i;
            continue;
        }
        out = rest;
        i = 0;
    }
    return out;
}

std::string text(const Formula& formula) {
    switch (formula.kind) {
        case Op::no:
            return "false";
        case Op::yes:
            return "true";
        case Op::holds:
            return formula.atom->text;
        case Op::fails:
            return formula.atom->opposite;
        case Op::all:
        case Op::any:
            return junction(formula);
    }
    return {};
}

}  // namespace svc::check
