// The parts of generated predicates: a row, its viewer, and functions on texts and tags that mean
// the same as in the policies of the database. How values compare: svc/maybe.hpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "svc/clock.hpp"
#include "svc/list.hpp"
#include "svc/maybe.hpp"
#include "svc/number.hpp"
#include "svc/sets.hpp"

namespace svc {

// The caller that a predicate is about, as policies see the caller, and the time.
struct Viewer {
    PrincipalSet principals = principal::kGuest;
    Text id, persona, org, email;  // ids: 36 characters, lower case
    bool is_admin = false;
    Maybe<Moment> now;
    Maybe<Day> today;  // in the app's timezone

    constexpr bool is(PrincipalSet any_of) const { return (principals & any_of) != 0; }
};

// The decision whether a viewer may see a row. `ask`: only the database can decide.
enum class ReadDecision : std::uint8_t { no, yes, ask };

// Elements of a text[]; null ones count in `size` alone.
struct TagList {
    std::vector<std::string> tags;
    std::int64_t size = 0;
};

// A row's columns in PostgreSQL's text form (UTC, datestyle ISO), null if null, in the order of
// Entity::columns. A view.
class Record {
  public:
    explicit Record(List<Text> columns) : columns_(columns) {}

    Text text(unsigned column) const { return columns_[column]; }  // and enums, uuids, JSON
    Maybe<bool> boolean(unsigned column) const;
    Maybe<std::int64_t> integer(unsigned column) const;  // and money
    Maybe<Number> decimal(unsigned column) const;
    Maybe<Number> floating(unsigned column) const;  // its 15 sure digits
    Maybe<double> stored_float(unsigned column) const;
    Maybe<Day> date(unsigned column) const;
    Maybe<TimeOfDay> time(unsigned column) const;
    Maybe<Moment> timestamp(unsigned column) const;
    Maybe<TagList> tags(unsigned column) const;

  private:
    List<Text> columns_;
};

// NaN is NaN, as in PostgreSQL.
bool distinct(const Maybe<double>& a, const Maybe<double>& b);

Text text(const char* literal);
Maybe<std::string> operator+(const Text& a, const Text& b);
Text trimmed(const Text& text);                // of spaces
Maybe<std::int64_t> length(const Text& text);  // in characters
Maybe<std::int64_t> length(const Maybe<TagList>& tags);
Maybe<bool> contains(const Text& text, const Text& part);
Maybe<bool> contains(const Maybe<TagList>& tags, const Text& tag);
Maybe<bool> starts_with(const Text& text, const Text& part);
Maybe<bool> ends_with(const Text& text, const Text& part);

}  // namespace svc
