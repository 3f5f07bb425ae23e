// Conditions as propositions, so that they can be compared: whether a caller reaches more rows than
// before, whether a grant adds anything to another one, whether a rule can ever fire.
//
// A test is opaque, except for comparisons with a literal: `status == 'a'` and `status == 'b'`
// cannot both hold, `price < 5` holds only where `price < 9` does.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace svc::check {

// One test. Two tests with the same text are the same test.
struct Atom {
    enum class Is { opaque, equal, less, less_equal, greater, greater_equal, null };
    std::string text;      // status == 'draft'
    std::string opposite;  // status != 'draft'
    Is is = Is::opaque;
    std::string subject, value;  // not opaque: what is compared, and the literal (null: none)
    std::string shown;           // the literal as it is written: 'draft'
    bool number = false;         // the literal is one
};

struct Formula {
    enum class Kind { no, yes, holds, fails, all, any } kind = Kind::no;
    std::shared_ptr<const Atom> atom;  // holds, fails
    std::vector<Formula> parts;        // all, any: two or more

    bool is_no() const { return kind == Kind::no; }
    bool is_yes() const { return kind == Kind::yes; }
};

Formula always(bool holds);
Formula test(Atom atom);
Formula both(const Formula& one, const Formula& other);
Formula either(const Formula& one, const Formula& other);
Formula opposite(const Formula& formula);

// The formula without the parts that follow from other parts.
Formula simplified(const Formula& formula);
// True if the formula has few enough different tests for implies() to decide.
bool is_decidable(const Formula& formula);
// True if `other` holds wherever `one` holds. Nothing if they have too many different tests.
std::optional<bool> implies(const Formula& one, const Formula& other);
// The formula as a contract writes it; "true" and "false" for always and never.
std::string text(const Formula& formula);

}  // namespace svc::check
