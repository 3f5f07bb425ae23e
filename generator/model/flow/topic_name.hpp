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
// Is every topic that `other` means one that `name` means?
bool covers(const std::string& name, const std::string& other);
// Is there a topic that both names mean?
bool may_be_same(const std::string& one, const std::string& other);

}  // namespace svc::model
