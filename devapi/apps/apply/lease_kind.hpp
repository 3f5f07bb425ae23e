// What a change of a project is for, and how far it has come: the words of `apply_run`.
#pragma once

#include <string_view>

namespace svc::devapi {

enum class LeaseKind {
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
enum class LeaseStage { planned, built, started, migrated, undoing, removing, loaded, exchanged };

std::string_view word(LeaseKind kind);
std::string_view word(LeaseStage stage);

// std::invalid_argument where the platform's database holds another word.
LeaseKind lease_kind(std::string_view word);
LeaseStage lease_stage(std::string_view word);

}  // namespace svc::devapi
