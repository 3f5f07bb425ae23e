#include "contract/read/reader.hpp"

namespace svc::contract {
namespace {

Texts texts_of(const Value& value) {
    if (value.is(Value::Kind::string)) return {{value.text, value.path}};
    Texts out;
    for (const Value& item : value.items) out.push_back({item.text, item.path});
    return out;
}

}  // namespace

Text Reader::text(std::string_view name) const {
    return maybe_text(name).value_or(Text{"", object_.path});
}

std::optional<Text> Reader::maybe_text(std::string_view name) const {
    const Value* value = find(name);
    if (value == nullptr) return std::nullopt;
    return Text{value->text, value->path};
}

Texts Reader::texts(std::string_view name) const { return maybe_texts(name).value_or(Texts{}); }

std::optional<Texts> Reader::maybe_texts(std::string_view name) const {
    const Value* value = find(name);
    if (value == nullptr) return std::nullopt;
    return texts_of(*value);
}

std::vector<Texts> Reader::text_lists(std::string_view name) const {
    std::vector<Texts> out;
    for (const Value& item : items(name)) out.push_back(texts_of(item));
    return out;
}

bool Reader::flag(std::string_view name) const {
    const Value* value = find(name);
    return value != nullptr && value->text == "true";
}

std::optional<Value> Reader::maybe_value(std::string_view name) const {
    const Value* value = find(name);
    if (value == nullptr) return std::nullopt;
    return *value;
}

const std::vector<Value>& Reader::items(std::string_view name) const {
    static const std::vector<Value> kNone;
    const Value* value = find(name);
    return value == nullptr ? kNone : value->items;
}

const std::vector<Member>& Reader::members(std::string_view name) const {
    static const std::vector<Member> kNone;
    const Value* value = find(name);
    return value == nullptr ? kNone : value->members;
}

}  // namespace svc::contract
