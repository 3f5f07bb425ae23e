#include "model/expr/flow_type.hpp"

namespace svc::model {

const FlowType* FlowType::find(const std::string& name) const {
    for (const FlowMember& member : members) {
        if (member.name == name) return &member.type;
    }
    return nullptr;
}

ExprType FlowType::expr_type() const {
    switch (kind) {
        case Kind::scalar:
            return type;
        case Kind::list:
            return ExprType::list;
        case Kind::row:
        case Kind::object:
            return ExprType::json;
    }
    return ExprType::json;
}

FlowType scalar(ExprType type) {
    FlowType out;
    out.type = type;
    return out;
}

FlowType row_of(std::size_t entity) {
    FlowType out;
    out.kind = FlowType::Kind::row;
    out.entity = entity;
    return out;
}

FlowType object_of(std::vector<FlowMember> members) {
    FlowType out;
    out.kind = FlowType::Kind::object;
    out.members = std::move(members);
    for (const FlowMember& member : out.members) out.weight += member.type.weight;
    return out;
}

FlowType list_of(FlowType element) {
    FlowType out;
    out.kind = FlowType::Kind::list;
    out.weight += element.weight;
    out.element.push_back(std::move(element));
    return out;
}

}  // namespace svc::model
