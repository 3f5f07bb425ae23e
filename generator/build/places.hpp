// A compiler speaks of generated files; whoever reads it wrote a contract.
#pragma once

#include <string>
#include <string_view>

#include "emit/file_set.hpp"

namespace svc::build {

// The compiler's words with each place that begins a line told as `svc.json#/entities/0
// (product.cpp:12)`, after the first line of the file. Lines about how we compile are left out.
std::string mapped_to_contract(std::string_view output, const emit::FileSet& files);

}  // namespace svc::build
