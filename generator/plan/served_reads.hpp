// The conditions that decide without the database whether a caller may read a row. Plain data.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/words.hpp"
#include "plan/condition/tree.hpp"

namespace svc::plan {

// The answer of a line of the predicate below; the enumerators are those of svc::ReadDecision.
enum class ReadAnswer : std::uint8_t { no, yes, ask };

// A line of the predicate that decides whether a row may be read: callers of `who` get `answer`
// under a condition (null: always). The first line that fits counts.
struct ReadDecisionLine {
    std::uint64_t who = ~0ULL;
    ConditionPtr condition;
    ReadAnswer answer = ReadAnswer::no;
};

// A column of the row that equals an attribute of the caller.
struct ReadKey {
    enum class Of : std::uint8_t { id, org, email };

    std::string column;
    Of of = Of::id;
    std::uint64_t who = 0;  // in a list: whom it is about
    bool operator==(const ReadKey&) const = default;
};

// Another table that the policy for reading looks at. Columns are indexes of the target's columns,
// except `column`.
struct ServedLook {
    std::string target;                 // cpp_value
    std::optional<std::size_t> column;  // same_as: names the row there that decides
    // Else, as in ReadLook:
    bool made = false;
    std::uint64_t who = ~0ULL;
    std::vector<std::size_t> columns;
    std::optional<std::pair<std::size_t, ReadKey::Of>> key;
};

struct ReadDecision {
    std::vector<ReadDecisionLine> lines;                       // the last one is for everybody
    std::vector<std::pair<std::string, std::size_t>> columns;  // members that conditions name
    // Each line that looks at the caller, beside at what principals they are, holds only where one
    // of these does; except of lines about `varies`.
    std::vector<ReadKey> keys;
    std::uint64_t varies = 0;
    std::uint64_t asks = 0;  // whom a line says "ask" to
};

}  // namespace svc::plan

// Words that are the names of enumerators, which the enumerators of runtime-support/svc have too.
template <>
struct svc::base::Words<svc::plan::ReadAnswer> {
    static constexpr std::array<std::string_view, 3> kAll = {"no", "yes", "ask"};
};

template <>
struct svc::base::Words<svc::plan::ReadKey::Of> {
    static constexpr std::array<std::string_view, 3> kAll = {"id", "org", "email"};
};
