// The differences between two contracts, short enough to read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace svc::devapi::versions {

struct ContractChange {
    // A JSON pointer in which an element of a list stands by its name: /entities/order/fields/note
    std::string path;
    std::string kind;     // added, removed, changed
    std::string was, is;  // of `changed`: the values as JSON text, cut if they are long
};

// In the order of the newer one, what was taken away behind it. Both are valid JSON.
std::vector<ContractChange> contract_changes(std::string_view older, std::string_view newer);

}  // namespace svc::devapi::versions
