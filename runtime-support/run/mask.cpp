#include "run/mask.hpp"

#include "base/json_text.hpp"

namespace svc::run {
namespace {

constexpr std::size_t kLeastBytes = 4;

void cover(std::string& text, std::string_view secret) {
    constexpr std::string_view kCover = "***";
    for (std::size_t at = text.find(secret); at != std::string::npos;
         at = text.find(secret, at + kCover.size()))
        text.replace(at, secret.size(), kCover);
}

}  // namespace

std::string masked(std::string text, const std::vector<std::string>& secrets) {
    for (const std::string& secret : secrets) {
        if (secret.size() < kLeastBytes) continue;
        std::string quoted;
        base::append_json(quoted, secret);
        cover(text, std::string_view(quoted).substr(1, quoted.size() - 2));
        cover(text, secret);
    }
    return text;
}

}  // namespace svc::run
