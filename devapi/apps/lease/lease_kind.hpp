// The purpose, the stage and the end of a project's change: the values in `apply_run`.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/words.hpp"

namespace svc::devapi {

using base::word;

enum class LeaseKind : std::uint8_t {
    apply,
    rebuild,
    remove,
    migrate,
    deploy,
    rollback,
    restore,
    snapshot,
    unpublish
};

// `removing` is of removals; `loaded` and `exchanged` are of restores; the others are of applies,
// deploys and rollbacks. On the first apply of an app `migrated` comes before `started`.
enum class LeaseStage : std::uint8_t {
    planned,
    built,
    started,
    migrated,
    undoing,
    removing,
    loaded,
    exchanged
};

enum class LeaseEnd : std::uint8_t { applied, invalid, refused, failed };

// Says whether somebody else went on with a change whose holder was gone, or undid it.
enum class Recovered : std::uint8_t { no, forwards, backwards };

// Throws std::invalid_argument if the platform's database contains another value.
LeaseKind lease_kind(std::string_view word);
LeaseStage lease_stage(std::string_view word);

}  // namespace svc::devapi

template <>
struct svc::base::Words<svc::devapi::LeaseKind> {
    static constexpr std::array<std::string_view, 9> kAll = {"apply",   "rebuild",  "remove",
                                                             "migrate", "deploy",   "rollback",
                                                             "restore", "snapshot", "unpublish"};
};
template <>
struct svc::base::Words<svc::devapi::LeaseStage> {
    static constexpr std::array<std::string_view, 8> kAll = {
        "planned", "built", "started", "migrated", "undoing", "removing", "loaded", "exchanged"};
};
template <>
struct svc::base::Words<svc::devapi::LeaseEnd> {
    static constexpr std::array<std::string_view, 4> kAll = {"applied", "invalid", "refused",
                                                             "failed"};
};
template <>
struct svc::base::Words<svc::devapi::Recovered> {
    static constexpr std::array<std::string_view, 3> kAll = {"", "forwards", "backwards"};
};
