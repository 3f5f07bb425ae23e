// Compares two texts of JSON: whether they mean the same, and which of their elements correspond.
#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace svc::devapi::versions {

using Text = std::optional<std::string_view>;  // a value as written; none: there is none

// Members in any order and any layout; numbers by their digits. Both are valid JSON, or absent.
bool same_json(Text a, Text b);

// The member that identifies elements of the lists: name, id, route, _key. None if some existing
// list has elements that are not objects with a unique value of it, or is very long.
std::optional<std::string> naming_member(std::initializer_list<Text> lists);

class NamedElements {
  public:
    struct Element {
        std::string name;
        std::string_view value;
    };
    NamedElements(Text list, const std::string& member);

    const std::vector<Element>& all() const { return all_; }  // in their order
    Text find(const std::string& name) const;

  private:
    std::vector<Element> all_;
    std::map<std::string, std::string_view, std::less<>> by_name_;
};

// "/entities" and "order/line" is "/entities/order~1line".
std::string below(const std::string& path, std::string_view name);

}  // namespace svc::devapi::versions
