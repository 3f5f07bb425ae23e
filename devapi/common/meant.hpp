// What a caller may have meant by a name that there is not.
#pragma once

#include <string>
#include <vector>

#include "base/nearest.hpp"

namespace svc::devapi {

// `sentence`, which says that there is no such name, with the nearest one and, if they are few,
// all.
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
