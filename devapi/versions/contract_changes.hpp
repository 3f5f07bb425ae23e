// The differences between two contracts, short enough to read.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.hpp"

namespace svc::devapi::versions {

struct ContractChange {
    // A JSON pointer in which an element of a list stands by its name: /entities/order/fields/note
    std::string path;
    enum class Kind : std::uint8_t { added, removed, changed } kind = Kind::changed;
    std::string was, is;  // of `changed`: the values as JSON text, cut if they are long
};

// Gives the changes in the order of the newer contract; what was taken away comes last. Both texts
// are valid JSON.
std::vector<ContractChange> contract_changes(std::string_view older, std::string_view newer);

}  // namespace svc::devapi::versions

template <>
struct svc::base::Words<svc::devapi::versions::ContractChange::Kind> {
    static constexpr std::array<std::string_view, 3> kAll = {"added", "removed", "changed"};
};
