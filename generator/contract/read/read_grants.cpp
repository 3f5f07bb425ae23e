#include "contract/read/read_grants.hpp"

namespace svc::contract {
namespace {

Grant read_grant(const Value& value) {
    if (value.is(Value::Kind::string)) return {{value.text, value.path}, {}, {}, value.path};
    const Reader in(value);
    return {in.text("to"), in.maybe_text("if"), in.maybe_texts("fields"), value.path};
}

}  // namespace

std::vector<Grant> read_grants(const Reader& in, std::string_view key) {
    std::vector<Grant> out;
    const Value* value = in.find(key);
    if (value == nullptr) return out;
    if (!value->is(Value::Kind::array)) return {read_grant(*value)};
    for (const Value& item : value->items) out.push_back(read_grant(item));
    return out;
}

}  // namespace svc::contract
