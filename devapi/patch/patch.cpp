#include "patch/patch.hpp"

#include <algorithm>

#include "diag/finding.hpp"

namespace svc::devapi::patch {
namespace {

const Operation& operation_of(const std::string& op) {
    const auto& all = operations();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Operation& one) { return one.name == op; });
    if (found != all.end()) return *found;
    std::vector<std::string> names;
    names.reserve(all.size());
    for (const Operation& one : all) names.emplace_back(one.name);
    const std::string near = diag::nearest(op, names);
    throw EditError("op", "There is no operation \"" + op + "\"." +
                              (near.empty() ? "" : " Did you mean \"" + near + "\"?"));
}

}  // namespace

std::string patched(std::string contract, const std::vector<std::string_view>& edits,
                    PatchContext& context) {
    for (std::size_t i = 0; i < edits.size(); ++i) try {
            const Edit edit(edits[i]);
            const Operation& operation = operation_of(edit.op());
            edit.only(operation.members);
            contract = operation.apply(contract, edit, context);
        } catch (const EditError& refused) {
            throw PatchError(i, refused);
        }
    return contract;
}

}  // namespace svc::devapi::patch
