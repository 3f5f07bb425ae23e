#include "apps/apply/lease_kind.hpp"

#include <cstddef>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>

namespace svc::devapi {
namespace {

// In the order of the enumerators.
constexpr std::string_view kKinds[] = {"apply",    "rebuild", "remove",   "migrate",  "deploy",
                                       "rollback", "restore", "snapshot", "unpublish"};
static_assert(std::size(kKinds) == static_cast<std::size_t>(LeaseKind::unpublish) + 1);

constexpr std::string_view kStages[] = {"planned", "built",    "started", "migrated",
                                        "undoing", "removing", "loaded",  "exchanged"};
static_assert(std::size(kStages) == static_cast<std::size_t>(LeaseStage::exchanged) + 1);

std::size_t place_in(std::span<const std::string_view> words, std::string_view word) {
    for (std::size_t i = 0; i < words.size(); ++i)
        if (words[i] == word) return i;
    throw std::invalid_argument("apply_run holds an unknown word: " + std::string(word));
}

}  // namespace

std::string_view word(LeaseKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

std::string_view word(LeaseStage stage) { return kStages[static_cast<std::size_t>(stage)]; }

LeaseKind lease_kind(std::string_view word) {
    return static_cast<LeaseKind>(place_in(kKinds, word));
}

LeaseStage lease_stage(std::string_view word) {
    return static_cast<LeaseStage>(place_in(kStages, word));
}

}  // namespace svc::devapi
