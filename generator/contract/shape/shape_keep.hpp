// Leaves faulty parts out and marks their names as in doubt.
#pragma once

#include <utility>
#include <vector>

#include "contract/value.hpp"

namespace svc::contract {

class ShapeKeeper {
  public:
    explicit ShapeKeeper(diag::Findings& findings) : findings_(findings) {}

    template <typename Sound>
    void keep_items(Value& list, const Sound& sound) {
        std::vector<Value> kept;
        for (Value& item : list.items) {
            if (sound(item)) {
                kept.push_back(std::move(item));
            } else {
                findings_.doubt(list.path);
                doubt(item);
                if (item.is(Value::Kind::object) && !says_its_name(item)) doubt_any_name();
            }
        }
        list.items = std::move(kept);
    }

    // `sound` may read the object: members are removed only after all have been checked.
    template <typename Sound>
    void keep_members(Value& object, const Sound& sound) {
        std::vector<bool> keep;
        for (Member& member : object.members) {
            keep.push_back(sound(member));
            if (keep.back()) continue;
            findings_.doubt(member.name);
            doubt(member.value);
            if (holds_names(member)) doubt_any_name();
        }
        std::vector<Member> kept;
        for (std::size_t i = 0; i < keep.size(); ++i) {
            if (keep[i]) kept.push_back(std::move(object.members[i]));
        }
        object.members = std::move(kept);
    }

  private:
    static bool says_its_name(const Value& item);
    static bool holds_names(const Member& member);
    void doubt_any_name() { findings_.doubt(diag::Findings::kAnyName); }
    void doubt(const Value& value);

    diag::Findings& findings_;
};

}  // namespace svc::contract
