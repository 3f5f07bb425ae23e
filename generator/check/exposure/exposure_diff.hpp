// The differences between the exposures of two contracts. They are information and never refuse an
// apply.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "check/exposure/exposure.hpp"

namespace svc::check {

// changed: some rows were added and others removed, or the difference cannot be decided.
enum class Direction : std::uint8_t { widened, narrowed, changed };

struct ExposureChange {
    Direction direction = Direction::changed;
    Doing operation;
    // For sign_up they are guest and the persona; for second_factor the persona, and no entity; for
    // seed an address and its persona.
    std::string caller, entity;
    // The text of rows_text(), then a transition's effect. For a changed query: its SQL.
    std::string before, after;
    std::vector<std::string> fields_more, fields_less, fields_other;  // other: for other rows
    std::string message;                                              // all of it, in words
};

struct ExposureDiff {
    std::vector<ExposureChange>
        changes;  // by entity, caller and operation of the new contract; accounts last
    std::size_t count(Direction direction) const;
};

ExposureDiff compare(const Exposure& before, const Exposure& after);

// Widened first, then changed, then narrowed: one sentence a line, callers of the same together.
std::vector<std::string> sentences(const ExposureDiff& diff);
// {"changes": [{persona, entity, operation, kind, before, after, …}], "widened": n, "narrowed": n,
// "changed": n, "summary": [sentence]}
std::string json_text(const ExposureDiff& diff);

}  // namespace svc::check

template <>
struct svc::base::Words<svc::check::Direction> {
    static constexpr std::array<std::string_view, 3> kAll = {"widened", "narrowed", "changed"};
};
