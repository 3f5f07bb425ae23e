// Reads members of an object in which check_shape found no mistake.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "contract/contract.hpp"

namespace svc::contract {

class Reader {
  public:
    explicit Reader(const Value& object) : object_(object) {}

    // If the member is absent: empty, at the object's own place.
    Text text(std::string_view name) const;
    std::optional<Text> maybe_text(std::string_view name) const;
    // The texts of a list of strings or of one string; empty if absent.
    Texts texts(std::string_view name) const;
    std::optional<Texts> maybe_texts(std::string_view name) const;
    std::vector<Texts> text_lists(std::string_view name) const;
    bool flag(std::string_view name) const;
    std::optional<Value> maybe_value(std::string_view name) const;
    // The items of a list; none if absent.
    const std::vector<Value>& items(std::string_view name) const;
    const std::vector<Member>& members(std::string_view name) const;
    const Value* find(std::string_view name) const { return object_.find(name); }
    const std::string& path() const { return object_.path; }

  private:
    const Value& object_;
};

}  // namespace svc::contract
