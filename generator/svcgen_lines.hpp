// Many contracts in one run, for tests.
#pragma once

#include <iosfwd>
#include <string>

namespace svc::pipeline {

// Each line of the input is a contract. For each a line of words with tabs between them: "shape"
// where it breaks the table of keys, else "fine"; then its findings as severity:CODE:path.
// `database` as in pipeline::check.
void check_lines(std::istream& in, std::ostream& out, const std::string& database);

}  // namespace svc::pipeline
