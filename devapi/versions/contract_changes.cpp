#include "versions/contract_changes.hpp"

#include "common/json_slice.hpp"
#include "versions/json_parts.hpp"

namespace svc::devapi::versions {
namespace {

constexpr std::size_t kLongest = 80;  // bytes of a value that is shown

std::string shown_value(std::string_view value) {
    if (value.size() <= kLongest) return std::string(value);
    std::size_t end = kLongest;  // not inside of a character
    while (end > 0 && (static_cast<unsigned char>(value[end]) & 0xc0) == 0x80) --end;
    return std::string(value.substr(0, end)) + "…";
}

using Kind = ContractChange::Kind;

class Changes {
  public:
    std::vector<ContractChange> found;

    void compare(const std::string& path, Text older, Text newer) {
        if (same_json(older, newer)) return;
        if (!older) return add(path, Kind::added);
        if (!newer) return add(path, Kind::removed);
        if (older->starts_with('{') && newer->starts_with('{'))
            return members(path, *older, *newer);
        const bool lists = older->starts_with('[') && newer->starts_with('[');
        const auto member = lists ? naming_member({older, newer}) : std::nullopt;
        if (member && !json_elements(*older).empty() && !json_elements(*newer).empty())
            return elements(path, NamedElements(older, *member), NamedElements(newer, *member));
        found.push_back({path, Kind::changed, shown_value(*older), shown_value(*newer)});
    }

  private:
    void add(const std::string& path, Kind kind) { found.push_back({path, kind, {}, {}}); }

    void members(const std::string& path, std::string_view older, std::string_view newer) {
        for (const auto& [name, value] : json_members(newer))
            compare(below(path, name), json_member(older, name), value);
        for (const auto& [name, value] : json_members(older))
            if (!json_member(newer, name)) add(below(path, name), Kind::removed);
    }

    void elements(const std::string& path, const NamedElements& older, const NamedElements& newer) {
        const std::size_t before = found.size();
        for (const auto& [name, value] : newer.all())
            compare(below(path, name), older.find(name), value);
        for (const auto& [name, value] : older.all())
            if (!newer.find(name)) add(below(path, name), Kind::removed);
        // The elements are the same, in another order.
        if (found.size() == before) found.push_back({path, Kind::changed, {}, {}});
    }
};

}  // namespace

std::vector<ContractChange> contract_changes(std::string_view older, std::string_view newer) {
    Changes changes;
    changes.compare("", older, newer);
    return std::move(changes.found);
}

}  // namespace svc::devapi::versions
