// The whole path from a contract's text to a binary, top to bottom. svcgen runs it offline, svcd
// inside an apply.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "build/build.hpp"
#include "check/exposure/exposure.hpp"
#include "diag/finding.hpp"
#include "emit/file_set.hpp"
#include "plan/plan.hpp"
#include "query/prove/prove.hpp"

namespace svc::pipeline {

struct Checked {
    diag::Findings findings;         // located and sorted
    std::optional<plan::Plan> plan;  // if there is no error
    check::Exposure exposure;        // of that plan
};

// parse, resolve, check, plan, prove. No side effects. `database`: URL of any PostgreSQL, where
// named queries are prepared in a transaction that is rolled back, within its budget; without one a
// contract that has some is checked but for their types, and its plan is not for emit(). Throws
// std::runtime_error if it does not answer.
Checked check(std::string_view contract_text, const query::Database& database = {});

// Renders every file of the app. Deterministic: same plan, same bytes. The plan's queries are
// proved.
emit::FileSet emit(const plan::Plan& plan);
// The files of the app's server, with the scripts of its components, which Node.js makes. Without
// components Node.js is never started. Blocks. Throws std::runtime_error with a message for people.
emit::FileSet emit_all(const plan::Plan& plan, const build::Settings& settings);

// The files below `folder` that write() made and a person has changed since, sorted. Missing files
// do not count.
std::vector<std::string> hand_edited(const std::string& folder);

// Writes changed files below `folder` and its manifest.json; removes files that the generator does
// not make any more. Throws std::system_error.
void write(const emit::FileSet& files, const std::string& folder);

}  // namespace svc::pipeline
