// What a new contract exposes that the old one did not, and the other way round. Information, never
// a refusal.
#pragma once

#include <string>
#include <vector>

#include "check/exposure.hpp"

namespace svc::check {

// changed: some rows more, others fewer, or it cannot be told.
enum class Direction { widened, narrowed, changed };

struct ExposureChange {
    Direction direction = Direction::changed;
    // Of "sign up": guest and the persona. Of "second factor": the persona, and no entity. Of
    // "seed": an address and its persona.
    std::string caller, entity, operation;
    // As rows_text() says it; a transition's effect behind it. Of a query that is changed: its SQL.
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

const char* word(Direction direction);
// Widened first, then changed, then narrowed: one sentence a line, callers of the same together.
std::vector<std::string> sentences(const ExposureDiff& diff);
// {"changes": [{persona, entity, operation, kind, before, after, …}], "widened": n, "narrowed": n,
// "changed": n, "summary": [sentence]}
std::string json_text(const ExposureDiff& diff);

}  // namespace svc::check
