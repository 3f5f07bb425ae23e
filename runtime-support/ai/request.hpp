// Reads the bodies of /ai/chat and /ai/embed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.hpp"
#include "identity/result.hpp"
#include "svc/app.hpp"

namespace svc::ai {

enum class Role : std::uint8_t { system, user, assistant };

}  // namespace svc::ai

template <>
struct svc::base::Words<svc::ai::Role> {
    static constexpr std::array<std::string_view, 3> kAll = {"system", "user", "assistant"};
};

namespace svc::ai {

struct Message {
    Role role = Role::user;
    std::string content;
};

struct ChatRequest {
    std::vector<Message> messages;  // 1 to 64
    bool stream = true;
    std::optional<std::int64_t> max_tokens;  // above 0
    std::string model;                       // empty: the app's
};
identity::Result<ChatRequest> read_chat(std::string_view body);

// 1 to 100 texts, of 8192 characters each at most.
identity::Result<std::vector<std::string>> read_embed(std::string_view body);
identity::Result<void> check_texts(const std::vector<std::string>& texts);

// INPUT_TOO_LARGE where all messages together have more characters than the app takes.
identity::Result<void> check_length(const std::vector<Message>& messages, const Ai& ai);

}  // namespace svc::ai
