// The kinds of keys by which apps are called.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/words.hpp"

namespace svc {

// `preview`: of the builder, for 12 hours; it opens the environment dev alone.
enum class KeyKind : std::uint8_t { browser, server, preview };

}  // namespace svc

template <>
struct svc::base::Words<svc::KeyKind> {
    static constexpr std::array<std::string_view, 3> kAll = {"browser", "server", "preview"};
};
