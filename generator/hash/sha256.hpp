// Names of contents: what is built, written or migrated twice is known by its hash.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace svc::hash {

// SHA-256, 64 lower-case hexadecimal digits.
std::string sha256(std::string_view bytes);

// Of several texts, each with its length, so that moving a boundary changes the hash.
std::string sha256_of(std::initializer_list<std::string_view> parts);

}  // namespace svc::hash
