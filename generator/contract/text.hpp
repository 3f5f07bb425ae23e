// A text with its place.
#pragma once

#include <string>
#include <vector>

namespace svc::contract {

struct Text {
    std::string text;
    std::string path;
};

using Texts = std::vector<Text>;

}  // namespace svc::contract
