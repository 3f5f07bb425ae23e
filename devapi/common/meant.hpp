// Suggests names for a name that does not exist.
#pragma once

#include <string>
#include <vector>

#include "base/nearest.hpp"

namespace svc::devapi {

// Adds to `sentence`, which says that there is no such name, the nearest name, and all names if
// they are few.
inline std::string with_meant(std::string sentence, const std::string& word,
                              const std::vector<std::string>& names) {
    constexpr std::size_t kFew = 20;
    const std::string near(base::nearest(word, names));
    if (!near.empty()) sentence += " Did you mean '" + near + "'?";
    std::string all;
    for (const std::string& name : names) all.append(all.empty() ? "" : ", ").append(name);
    if (all.empty() || names.size() > kFew) return sentence;
    return sentence + " There are: " + all + '.';
}

}  // namespace svc::devapi
