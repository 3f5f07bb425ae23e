// Names of topics with placeholders: app:order:{id}. A placeholder stands for one or more letters,
// digits, _ . -
#pragma once

#include <string>
#include <vector>

namespace svc::model {

// The names in braces, in order.
std::vector<std::string> parts_of(const std::string& name);
// The texts around them, one more than there are placeholders: app:order: and nothing.
std::vector<std::string> pieces_of(const std::string& name);
// True if every topic that `other` matches is one that `name` matches.
bool covers(const std::string& name, const std::string& other);
// True if there is a topic that both names match.
bool may_be_same(const std::string& one, const std::string& other);

}  // namespace svc::model
