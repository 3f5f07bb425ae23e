#include "contract/shape/shape_together.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace svc::contract {
namespace {

template <typename Range, typename Item>
bool contains(const Range& range, const Item& item) {
    return std::find(std::begin(range), std::end(range), item) != std::end(range);
}

const Member* find_member(const Value& value, const std::string& name) {
    for (const Member& member : value.members) {
        if (member.name == name) return &member;
    }
    return nullptr;
}

}  // namespace

bool ShapeTogether::sound(Value& value, const Shape& shape) {
    const bool whole = has_required(value, shape);
    return has_one_key(value, shape) && whole && stand_right(value, shape);
}

bool ShapeTogether::has_required(const Value& value, const Shape& shape) {
    bool whole = true;
    for (const Key& key : shape.keys) {
        if (!key.required || value.find(key.name) != nullptr) continue;
        whole = false;
        if (!contains(reported_, key.name)) report_.missing_key(value, shape, key);
    }
    for (const Demand& demand : shape.demands) {
        const Value* given = value.find(demand.key);
        const bool asks =
            given != nullptr && given->is(Value::Kind::string) && given->text == demand.value;
        if (!asks || value.find(demand.needs) != nullptr) continue;
        whole = false;
        if (!contains(reported_, demand.needs))
            report_.missing_key(value, shape, *shape.find(demand.needs));
    }
    return whole;
}

bool ShapeTogether::has_one_key(Value& value, const Shape& shape) {
    if (shape.one_key_of.empty()) return true;
    const auto is_choice = [&](const std::string& name) {
        return contains(shape.one_key_of, name);
    };
    std::string first;
    keeper_.keep_members(value, [&](Member& member) {
        if (!is_choice(member.name)) return true;
        if (!first.empty()) report_.two_of_one(*find_member(value, first), member, shape);
        const bool keep = first.empty();
        if (keep) first = member.name;
        return keep;
    });
    if (!first.empty()) return true;
    if (!std::any_of(reported_.begin(), reported_.end(), is_choice)) {
        report_.none_of_one(value, shape);
    }
    return false;
}

bool ShapeTogether::stand_right(const Value& value, const Shape& shape) {
    bool right = true;
    for (const Member& member : value.members) {
        const auto& beside = shape.find(member.name)->beside;
        const bool met = std::any_of(beside.begin(), beside.end(), [&](std::string_view name) {
            return value.find(name) != nullptr || contains(reported_, name);
        });
        if (beside.empty() || met) continue;
        report_.alone(member, beside);
        right = false;
    }
    return right;
}

}  // namespace svc::contract
