// Decides whether one formula follows from another, by trying every combination of results of their
// tests.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "check/formula/formula.hpp"

namespace svc::check {
namespace {

using Is = Atom::Is;
using Op = Formula::Kind;
using Atoms = std::vector<const Atom*>;

constexpr std::size_t kMaxAtoms = 12;

// Stops at one more than can be decided.
void collect(const Formula& formula, Atoms& atoms) {
    if (atoms.size() > kMaxAtoms) return;
    if (formula.atom) {
        const auto known = [&](const Atom* atom) { return atom->text == formula.atom->text; };
        if (std::none_of(atoms.begin(), atoms.end(), known)) atoms.push_back(formula.atom.get());
    }
    for (const Formula& part : formula.parts) collect(part, atoms);
}

// A literal among others of its subject: as a number, or by its characters (ISO dates and times
// are in order so).
int order(const Atom& one, const Atom& other) {
    if (one.number && other.number) {
        const double a = std::strtod(one.value.c_str(), nullptr);
        const double b = std::strtod(other.value.c_str(), nullptr);
        return a < b ? -1 : a > b ? 1 : 0;
    }
    return one.value.compare(other.value);
}

bool is_lower(Is is) { return is == Is::less || is == Is::less_equal; }
bool is_upper(Is is) { return is == Is::greater || is == Is::greater_equal; }
bool is_strict(Is is) { return is == Is::less || is == Is::greater; }

// No value passes both. Of texts only equality is decided: their order is the database's.
bool exclude(const Atom& one, const Atom& other) {
    if (one.subject != other.subject) return false;
    if (one.is == Is::null || other.is == Is::null) return true;
    if (one.is == Is::equal && other.is == Is::equal) return order(one, other) != 0;
    if (!one.number || !other.number) return false;
    const int by = order(one, other);
    const bool strict = is_strict(one.is) || is_strict(other.is);
    const bool below = is_lower(one.is) || one.is == Is::equal;
    const bool above = is_upper(other.is) || other.is == Is::equal;
    if (below && above && !(is_upper(one.is) || is_lower(other.is))) {
        return by < 0 || (by == 0 && strict);
    }
    const bool reversed =
        (is_upper(one.is) || one.is == Is::equal) && (is_lower(other.is) || other.is == Is::equal);
    return reversed && (by > 0 || (by == 0 && strict));
}

// Every value that passes `one` passes `other`.
bool within(const Atom& one, const Atom& other) {
    if (one.subject != other.subject || !one.number || !other.number) return false;
    if (one.is == Is::null || other.is == Is::null || other.is == Is::equal) return false;
    const int by = order(one, other);
    const bool lower = is_lower(other.is);
    if (one.is == Is::equal) {
        return by == 0 ? !is_strict(other.is) : (by < 0) == lower;
    }
    if (is_lower(one.is) != lower) return false;
    if (by == 0) return is_strict(one.is) || !is_strict(other.is);
    return (by < 0) == lower;
}

// The truth table of a formula over n tests: bit v is its value when test i has the value of bit i
// of v.
using Table = std::vector<std::uint64_t>;

Table constant(std::size_t atoms, bool value) {
    return Table(atoms > 6 ? std::size_t{1} << (atoms - 6) : 1, value ? ~std::uint64_t{0} : 0);
}

Table of_atom(std::size_t atoms, std::size_t which) {
    constexpr std::uint64_t kWithin[] = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc,
                                         0xf0f0f0f0f0f0f0f0, 0xff00ff00ff00ff00,
                                         0xffff0000ffff0000, 0xffffffff00000000};
    Table out = constant(atoms, false);
    for (std::size_t word = 0; word < out.size(); ++word) {
        if (which < 6) out[word] = kWithin[which];
        if (which >= 6 && (word >> (which - 6) & 1U) != 0) out[word] = ~std::uint64_t{0};
    }
    return out;
}

Table inverted(Table table) {
    for (std::uint64_t& word : table) word = ~word;
    return table;
}

void narrow(Table& table, const Table& by) {
    for (std::size_t i = 0; i < table.size(); ++i) table[i] &= by[i];
}

void widen(Table& table, const Table& by) {
    for (std::size_t i = 0; i < table.size(); ++i) table[i] |= by[i];
}

Table table_of(const Formula& formula, const Atoms& atoms) {
    switch (formula.kind) {
        case Op::no:
        case Op::yes:
            return constant(atoms.size(), formula.is_yes());
        case Op::all:
        case Op::any: {
            Table out = constant(atoms.size(), formula.kind == Op::all);
            for (const Formula& part : formula.parts) {
                (formula.kind == Op::all ? narrow : widen)(out, table_of(part, atoms));
            }
            return out;
        }
        case Op::holds:
        case Op::fails:
            break;
    }
    const auto at = std::find_if(atoms.begin(), atoms.end(), [&](const Atom* atom) {
        return atom->text == formula.atom->text;
    });
    Table out = of_atom(atoms.size(), static_cast<std::size_t>(at - atoms.begin()));
    return formula.kind == Op::holds ? out : inverted(std::move(out));
}

// Outcomes that no row has are taken out.
void keep_possible(Table& table, const Atoms& atoms) {
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        if (atoms[i]->is == Is::opaque) continue;
        for (std::size_t k = 0; k < atoms.size(); ++k) {
            if (i == k || atoms[k]->is == Is::opaque) continue;
            const bool apart = i < k && exclude(*atoms[i], *atoms[k]);
            if (!apart && !within(*atoms[i], *atoms[k])) continue;
            Table never = of_atom(atoms.size(), i);
            const Table other = of_atom(atoms.size(), k);
            narrow(never, apart ? other : inverted(other));
            narrow(table, inverted(std::move(never)));
        }
    }
}

}  // namespace

bool is_decidable(const Formula& formula) {
    Atoms atoms;
    collect(formula, atoms);
    return atoms.size() <= kMaxAtoms;
}

std::optional<bool> implies(const Formula& one, const Formula& other) {
    if (one.is_no() || other.is_yes()) return true;
    Atoms atoms;
    collect(one, atoms);
    collect(other, atoms);
    if (atoms.size() > kMaxAtoms) return std::nullopt;
    Table broken = table_of(one, atoms);
    narrow(broken, inverted(table_of(other, atoms)));
    keep_possible(broken, atoms);
    return std::all_of(broken.begin(), broken.end(), [](std::uint64_t word) { return word == 0; });
}

}  // namespace svc::check
