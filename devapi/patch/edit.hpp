// One operation of a patch as its author wrote it.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace svc::devapi::patch {

// An edit that cannot be applied; what() is a sentence, `member` the one at fault (may be empty).
struct EditError : std::runtime_error {
    EditError(std::string member, const std::string& sentence)
        : std::runtime_error(sentence), member(std::move(member)) {}
    std::string member;
};

// Every getter throws EditError if the member is missing or has the wrong type.
class Edit {
  public:
    // `text` must be a JSON object, and live as long as this.
    explicit Edit(std::string_view text);

    std::string op() const { return name("op"); }
    // A text that is not empty.
    std::string name(std::string_view member) const;
    std::optional<std::string> optional_text(std::string_view member) const;
    std::string text(std::string_view member) const;
    // As written.
    std::string_view object(std::string_view member) const;
    std::string_view value(std::string_view member) const;
    // Refuses members beside these and `op`.
    void only(const std::vector<std::string_view>& members) const;

  private:
    std::string_view text_;
};

// The text of a JSON string; none for other JSON.
std::optional<std::string> text_of(std::string_view json);
// The text under this member of an object; none if there is none.
std::optional<std::string> text_member(std::string_view object, std::string_view member);
std::string json_text(std::string_view text);

}  // namespace svc::devapi::patch
