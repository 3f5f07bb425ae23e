// The stages of applies, deploys and restores, as callers see them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/words.hpp"

namespace svc::devapi {

enum class StageName : std::uint8_t {
    check,
    emit,
    build,
    promote,
    fits,
    snapshot,
    provision,
    start,
    migrate,
    swap,
    verify,
    load,
    compare
};

enum class StageStatus : std::uint8_t { running, done, failed };

struct Stage {
    StageName name = StageName::check;
    StageStatus status = StageStatus::running;
    double ms = 0;
    std::string detail;
};

}  // namespace svc::devapi

// Their names in answers and streams.
template <>
struct svc::base::Words<svc::devapi::StageName> {
    static constexpr std::array<std::string_view, 13> kAll = {
        "check", "emit",    "build", "promote", "fits", "snapshot", "provision",
        "start", "migrate", "swap",  "verify",  "load", "compare"};
};

template <>
struct svc::base::Words<svc::devapi::StageStatus> {
    static constexpr std::array<std::string_view, 3> kAll = {"running", "done", "failed"};
};

namespace svc::devapi {

inline std::string stage_word(std::optional<StageName> failed) {
    return std::string(failed ? base::word(*failed) : std::string_view());
}

// "swap: ", the prefix of an error message. Empty if no stage failed.
inline std::string at_stage(std::optional<StageName> failed) {
    return failed ? stage_word(failed) + ": " : std::string();
}

}  // namespace svc::devapi
