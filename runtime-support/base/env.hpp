// The environments of a project.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/words.hpp"

namespace svc {

// `verify` is the clone that a verification works on; it is never published.
enum class Env : std::uint8_t { dev, prod, preview, verify };

}  // namespace svc

template <>
struct svc::base::Words<svc::Env> {
    static constexpr std::array<std::string_view, 4> kAll = {"dev", "prod", "preview", "verify"};
};

namespace svc {

inline std::string name(Env env) { return std::string(base::word(env)); }

// Reads the value of a row of the platform's tables, which contain no other values.
inline Env env_of(std::string_view word) { return base::read_word<Env>(word).value(); }

// The environment that a request may name. Nothing for any other text.
inline std::optional<Env> dev_or_prod(std::string_view word) {
    const auto env = base::read_word<Env>(word);
    return env == Env::dev || env == Env::prod ? env : std::nullopt;
}

template <class Json>
void to_json(Json& out, const Env& env) {
    out = name(env);
}
template <class Json>
void from_json(const Json& in, Env& env) {
    env = env_of(in.template get<std::string>());
}

}  // namespace svc
