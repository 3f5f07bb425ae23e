// Maps a compiler's messages about generated files to places of the contract, which its author
// knows.
#pragma once

#include <string>
#include <string_view>

#include "emit/file_set.hpp"

namespace svc::build {

// The compiler's output. A place at the begin of a line becomes `svc.json#/entities/0
// (product.cpp:12)`, by the first line of the file. Lines about the compilation itself are left
// out.
std::string mapped_to_contract(std::string_view output, const emit::FileSet& files);

}  // namespace svc::build
