#include "contract/params.hpp"

#include "contract/read/reader.hpp"

namespace svc::contract {

std::vector<Param> read_params(const Reader& in) {
    std::vector<Param> out;
    for (const Member& member : in.members("params")) {
        const Reader param(member.value);
        out.push_back({{member.name, name_of(param.path())},
                       param.text("type"),
                       param.flag("required"),
                       param.maybe_value("default"),
                       param.path()});
    }
    return out;
}

}  // namespace svc::contract
