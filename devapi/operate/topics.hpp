// Topics of an environment, for developers: what is declared and used, and messages past who may
// publish where.
#pragma once

#include <optional>
#include <string>

namespace svc::devapi {

// {topics, used}: as the contract declares them, and what was published in the last 24 hours,
// {topic, messages, lastAt}, the newest first, 500 at most. Throws pqxx::failure.
std::string topics_json(const std::string& database);

// Why this topic should not be used, with the existing names; none: the contract declares it, or
// declares no topics at all, or somebody published there in the last 24 hours. A topic
// row-changed:<table> needs the table. Throws pqxx::failure.
std::optional<std::string> unknown_topic(const std::string& database, const std::string& topic);

// Publishes without a caller. False: an older compiler without topics made the database. Throws
// pqxx::failure.
bool publish(const std::string& database, const std::string& topic, const std::string& payload);

// Whether the database has topics at all; see above.
inline constexpr const char* kHasTopics = "select to_regclass('svc.topic_message') is not null";

}  // namespace svc::devapi
