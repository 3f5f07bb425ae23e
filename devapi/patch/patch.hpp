// A patch: edits one after another, each on what those before it left; all of them or none.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "patch/operations.hpp"

namespace svc::devapi::patch {

constexpr std::size_t kMostEdits = 50;

// `index` is that of the edit, from 0; what() is a sentence.
struct PatchError : EditError {
    PatchError(std::size_t index, const EditError& refused) : EditError(refused), index(index) {}
    std::size_t index;
};

// The contract as the edits, each a slice of JSON, leave it. Keeps its author's order and layout.
// Throws PatchError.
std::string patched(std::string contract, const std::vector<std::string_view>& edits,
                    PatchContext& context);

}  // namespace svc::devapi::patch
