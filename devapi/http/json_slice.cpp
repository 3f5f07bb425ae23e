#include "http/json_slice.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace svc::devapi {
namespace {

// Walks over valid JSON; what it is called on is already known to be well formed.
class Scanner {
  public:
    explicit Scanner(std::string_view text) : text_(text) {}

    void blanks() {
        while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != text_.npos)
            ++at_;
    }
    bool take(char c) {
        blanks();
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    std::string_view string() {
        blanks();
        const std::size_t begin = at_++;
        while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
        ++at_;
        return text_.substr(begin, at_ - begin);
    }
    // Without recursion: depth is the author's choice.
    std::string_view value() {
        blanks();
        const std::size_t begin = at_;
        int depth = 0;
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '"') {
                string();
                if (depth == 0) break;
                continue;
            }
            if (depth == 0 && at_ > begin && std::string_view(",]} \t\r\n").find(c) != text_.npos)
                break;
            ++at_;
            if (c == '{' || c == '[') ++depth;
            if ((c == '}' || c == ']') && --depth == 0) break;
        }
        return text_.substr(begin, at_ - begin);
    }

  private:
    std::string_view text_;
    std::size_t at_ = 0;
};

std::string quoted(std::string_view name) { return nlohmann::json(std::string(name)).dump(); }

}  // namespace

std::vector<JsonMember> json_members(std::string_view text) {
    std::vector<JsonMember> out;
    Scanner scanner(text);
    if (!scanner.take('{') || scanner.take('}')) return out;
    do {
        std::string name = nlohmann::json::parse(scanner.string()).get<std::string>();
        scanner.take(':');
        const std::string_view value = scanner.value();
        const auto twin = std::find_if(
            out.begin(), out.end(), [&](const JsonMember& member) { return member.first == name; });
        if (twin != out.end()) out.erase(twin);
        out.emplace_back(std::move(name), value);
    } while (scanner.take(','));
    return out;
}

std::vector<std::string_view> json_items(std::string_view text) {
    std::vector<std::string_view> out;
    Scanner scanner(text);
    if (!scanner.take('[') || scanner.take(']')) return out;
    do out.push_back(scanner.value());
    while (scanner.take(','));
    return out;
}

std::optional<std::string_view> json_member(std::string_view text, std::string_view name) {
    for (const auto& [member, value] : json_members(text))
        if (member == name) return value;
    return std::nullopt;
}

std::string with_member(std::string_view text, std::string_view name, std::string_view value) {
    std::string out(text);
    if (const auto old = json_member(text, name)) {
        out.replace(static_cast<std::size_t>(old->data() - text.data()), old->size(), value);
        return out;
    }
    const bool first = json_members(text).empty();
    std::size_t end = out.rfind('}');
    while (end > 0 && std::string_view(" \t\r\n").find(out[end - 1]) != std::string_view::npos)
        --end;
    out.insert(end, (first ? "" : ", ") + quoted(name) + ": " + std::string(value));
    return out;
}

}  // namespace svc::devapi
