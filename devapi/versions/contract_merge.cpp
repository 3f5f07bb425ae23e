#include "versions/contract_merge.hpp"

#include <optional>

#include "common/json_slice.hpp"
#include "versions/json_parts.hpp"

namespace svc::devapi::versions {
namespace {

constexpr std::string_view kUnchanged = "\"UNCHANGED\"";

struct Three {
    Text base, mine, theirs;

    bool mine_and_theirs_start(char c) const {
        return mine && theirs && mine->starts_with(c) && theirs->starts_with(c) &&
               (!base || base->starts_with(c));
    }
};

std::string text_or_empty(Text text) { return text ? std::string(*text) : std::string(); }

class Merger {
  public:
    explicit Merger(Side prefer) : prefer_(prefer) {}

    std::vector<MergeConflict> conflicts;

    // None: it is not there any more.
    std::optional<std::string> merge(const std::string& path, const Three& three) {
        if (same_json(three.base, three.theirs) || same_json(three.mine, three.theirs))
            return copy(three.mine);
        if (three.base && three.base == three.mine) return copy(three.theirs);
        if (three.mine_and_theirs_start('{')) return members(path, three);
        const auto member = three.mine_and_theirs_start('[')
                                ? naming_member({three.base, three.mine, three.theirs})
                                : std::nullopt;
        if (member) return elements(path, three, *member);
        if (same_json(three.base, three.mine)) return copy(three.theirs);
        conflicts.push_back({path, text_or_empty(three.base), text_or_empty(three.mine),
                             text_or_empty(three.theirs)});
        return copy(prefer_ == Side::mine ? three.mine : three.theirs);
    }

  private:
    static std::optional<std::string> copy(Text text) {
        return text ? std::optional<std::string>(*text) : std::nullopt;
    }

    static Text member_of(Text object, const std::string& name) {
        return object ? json_member(*object, name) : std::nullopt;
    }

    // In the order of mine; what is theirs alone comes after it.
    std::string members(const std::string& path, const Three& three) {
        std::string out(*three.mine);
        const auto take = [&](const std::string& name, Text mine, Text theirs) {
            const auto value =
                merge(below(path, name), {member_of(three.base, name), mine, theirs});
            if (!value)
                out = without_member(out, name);
            else if (!mine || *value != *mine)
                out = with_member(out, name, *value);
        };
        for (const auto& [name, value] : json_members(*three.mine))
            take(name, value, json_member(*three.theirs, name));
        for (const auto& [name, value] : json_members(*three.theirs))
            if (!json_member(*three.mine, name)) take(name, std::nullopt, value);
        return out;
    }

    std::string elements(const std::string& path, const Three& three, const std::string& member) {
        const NamedElements base(three.base, member), mine(three.mine, member),
            theirs(three.theirs, member);
        std::string out;
        std::vector<std::size_t> gone;
        const char* from = three.mine->data();
        for (std::size_t i = 0; i < mine.all().size(); ++i) {
            const auto& [name, value] = mine.all()[i];
            const auto merged =
                merge(below(path, name), {base.find(name), value, theirs.find(name)});
            if (!merged) gone.push_back(i);
            out.append(from, value.data()).append(merged.value_or(std::string(value)));
            from = value.data() + value.size();
        }
        out.append(from, three.mine->data() + three.mine->size());
        for (auto index = gone.rbegin(); index != gone.rend(); ++index)
            out = without_element(out, *index);
        for (const auto& [name, value] : theirs.all()) {
            if (mine.find(name)) continue;
            const auto merged = merge(below(path, name), {base.find(name), std::nullopt, value});
            if (merged) out = with_appended(out, *merged);
        }
        return out;
    }

    const Side prefer_;
};

}  // namespace

Merged merge_contracts(std::string_view base, std::string_view mine, std::string_view theirs,
                       Side prefer) {
    const auto base_seeds = json_member(base, "seeds"), my_seeds = json_member(mine, "seeds");
    const std::string own = my_seeds == kUnchanged && base_seeds
                                ? with_member(mine, "seeds", *base_seeds)
                                : std::string(mine);
    Merger merger(prefer);
    auto text = merger.merge("", {base, own, theirs});
    return {std::move(text).value_or(own), std::move(merger.conflicts)};
}

}  // namespace svc::devapi::versions
