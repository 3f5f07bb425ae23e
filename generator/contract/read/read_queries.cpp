#include "contract/read/read_queries.hpp"

namespace svc::contract {

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
