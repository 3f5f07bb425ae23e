// What a restore holds until somebody releases or drops it: runs, mails and deliveries of webhooks.
// Blocking; `database` is an administrator connection. Throws pqxx::failure.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.hpp"

namespace svc::devapi {

enum class HeldKind : std::uint8_t { runs, mails, deliveries };

// An app that an earlier compiler built holds runs alone.
bool has_held(const std::string& database);

// {runs, mails, deliveries}: how many.
std::string held_counts_json(const std::string& database);
// {counts, runs: [{id, workflow, trigger, createdAt}], mails: [{id, to, subject, createdAt}],
// deliveries: [{id, hook, event, table, rowId, createdAt}]}: the oldest of each.
std::string held_json(const std::string& database, int limit);

// Return how many. No ids: all of the kind.
int release_held(const std::string& database, HeldKind kind,
                 const std::optional<std::vector<std::string>>& ids);
int drop_held(const std::string& database, HeldKind kind,
              const std::optional<std::vector<std::string>>& ids);

}  // namespace svc::devapi

template <>
struct svc::base::Words<svc::devapi::HeldKind> {
    static constexpr std::array<std::string_view, 3> kAll = {"runs", "mails", "deliveries"};
};
