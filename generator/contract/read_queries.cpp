#include "contract/read_queries.hpp"

namespace svc::contract {

std::vector<Param> read_params(const Reader& in) {
    std::vector<Param> out;
    for (const Member& member : in.members("params")) {
        const Reader param(member.value);
        if (param.find("type") == nullptr) continue;  // it was unsound
        out.push_back({{member.name, name_of(param.path())},
                       param.text("type"),
                       param.flag("required"),
                       param.maybe_value("default"),
                       param.path()});
    }
    return out;
}

std::vector<Query> read_queries(const Reader& contract) {
    std::vector<Query> out;
    for (const Value& item : contract.items("queries")) {
        const Reader in(item);
        out.push_back({in.text("name"), in.text("description"), in.text("mode"), read_params(in),
                       in.texts("allow"), in.text("sql"), in.path()});
    }
    return out;
}

}  // namespace svc::contract
