#include <charconv>

#include "json/formats.hpp"
#include "svc/json.hpp"

namespace svc {

namespace {

// Each value in the text form that PostgreSQL takes.
std::string text_of(std::string&& value) { return std::move(value); }
std::string text_of(std::int64_t value) { return std::to_string(value); }
std::string text_of(bool value) { return value ? "true" : "false"; }
std::string text_of(Decimal&& value) { return std::move(value.text); }
std::string text_of(Money value) { return std::to_string(value.cents); }
std::string text_of(Date&& value) { return std::move(value.text); }
std::string text_of(Time&& value) { return std::move(value.text); }
std::string text_of(Timestamp&& value) { return std::move(value.text); }
std::string text_of(JsonText&& value) { return std::move(value.text); }
std::string text_of(Uuid&& value) { return std::move(value.text); }
std::string text_of(KeyText&& value) { return std::move(value.text); }
std::string text_of(const Tags& value) { return json::array_literal(value); }

std::string text_of(double value) {
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    return {text, end};
}

template <class T>
void keep(Values::Slot& slot, Sent<T>&& value) {
    slot.state = static_cast<Sent<std::string>::State>(value.state);
    if (value.state == Sent<T>::given) slot.text = text_of(std::move(value.value));
}

}  // namespace

void Values::set(unsigned column, Sent<std::string>&& value) {
    keep(slots_[column], std::move(value));
}
void Values::set(unsigned column, Sent<std::int64_t>&& value) {
    keep(slots_[column], std::move(value));
}
void Values::set(unsigned column, Sent<double>&& value) { keep(slots_[column], std::move(value)); }
void Values::set(unsigned column, Sent<bool>&& value) { keep(slots_[column], std::move(value)); }
void Values::set(unsigned column, Sent<Decimal>&& value) { keep(slots_[column], std::move(value)); }
void Values::set(unsigned column, Sent<Money>&& value) { keep(slots_[column], std::move(value)); }
void Values::set(unsigned column, Sent<Date>&& value) { keep(slots_[column], std::move(value)); }
void Values::set(unsigned column, Sent<Time>&& value) { keep(slots_[column], std::move(value)); }
void Values::set(unsigned column, Sent<Timestamp>&& value) {
    keep(slots_[column], std::move(value));
}
void Values::set(unsigned column, Sent<JsonText>&& value) {
    keep(slots_[column], std::move(value));
}
void Values::set(unsigned column, Sent<Uuid>&& value) { keep(slots_[column], std::move(value)); }
void Values::set(unsigned column, Sent<KeyText>&& value) { keep(slots_[column], std::move(value)); }
void Values::set(unsigned column, Sent<Tags>&& value) { keep(slots_[column], std::move(value)); }

}  // namespace svc
