// Usage and vectors as answers have them.
#pragma once

#include <string>

#include "ai/completion.hpp"

namespace svc::ai {

// {"prompt_tokens":…,"completion_tokens":…}; "estimated":true if the provider did not report its
// usage.
inline std::string usage_json(const Usage& usage) {
    return R"({"prompt_tokens":)" + std::to_string(usage.prompt) + R"(,"completion_tokens":)" +
           std::to_string(usage.completion) + (usage.estimated ? R"(,"estimated":true})" : "}");
}

inline std::string vectors_json(const Vectors& vectors) {
    std::string out;
    for (const std::string& one : vectors.each) out += (out.empty() ? "[" : ",") + one;
    return out + ']';
}

}  // namespace svc::ai
