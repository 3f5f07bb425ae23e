#include "mcp/operations.hpp"

#include <vector>

#include "mcp/operation_families.hpp"

namespace svc::devapi {

std::span<const Operation> operations() {
    static const std::vector<Operation> all = [] {
        std::vector<Operation> out;
        for (const auto family :
             {contract_operations(), row_operations(), release_operations(), event_operations()})
            out.insert(out.end(), family.begin(), family.end());
        return out;
    }();
    return all;
}

}  // namespace svc::devapi
