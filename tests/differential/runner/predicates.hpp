// The compiled predicates of a run, as the program calls them.
#pragma once

#include <svc/predicate.hpp>

struct Predicate {
    int number;  // of the case; below zero after the last one
    bool (*holds)(const svc::Record& row, const svc::Record& before, const svc::Record& after,
                  const svc::Viewer& viewer);
};

// The tables of all parts; null after the last one.
extern const Predicate* const kParts[];
