#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "contract/value.hpp"
#include "diag/characters.hpp"
#include "diag/source_map.hpp"

namespace svc::contract {
namespace {

using Json = nlohmann::ordered_json;

// Everything that walks a contract may recurse, because nothing deeper than this passes.
constexpr std::size_t kMaxDepth = 100;

// The library quotes what it read last; the rendered finding shows the line itself.
std::string without_excerpt(std::string message) {
    const std::size_t begin = message.find("; last read: ");
    const std::size_t end = message.rfind("; expected ");
    if (begin == std::string::npos) return message;
    return message.substr(0, begin) +
           (end == std::string::npos || end <= begin ? "" : message.substr(end));
}

// Builds a Value from the parser's events. `open_` holds the containers that are being read,
// outermost first; a finished one moves into the one before it.
class Builder final : public nlohmann::json_sax<Json> {
  public:
    Builder(std::string_view text, diag::Findings& findings) : text_(text), findings_(findings) {}

    bool null() override { return put({}); }
    bool boolean(bool value) override {
        return scalar(Value::Kind::boolean, value ? "true" : "false");
    }
    bool number_integer(number_integer_t value) override {
        return scalar(Value::Kind::number, std::to_string(value));
    }
    bool number_unsigned(number_unsigned_t value) override {
        return scalar(Value::Kind::number, std::to_string(value));
    }
    bool number_float(number_float_t, const string_t& written) override {
        return scalar(Value::Kind::number, written);
    }
    bool string(string_t& value) override {
        if (value.find('\0') != std::string::npos) {
            findings_.error("BAD_TEXT", next_path(), "A text holds the character \\u0000.",
                            "take it out: PostgreSQL cannot store it");
        }
        return scalar(Value::Kind::string, value);
    }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(Value::Kind::object); }
    bool start_array(std::size_t) override { return open(Value::Kind::array); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }

    bool key(string_t& name) override {
        names_.back() = name;
        const Value& object = open_.back();
        if (object.find(name) != nullptr) repeated(child(object.path, name), name);
        return true;
    }

    bool parse_error(std::size_t position, const std::string&,
                     const nlohmann::detail::exception& error) override {
        std::string message = error.what();
        if (const std::size_t at = message.find("syntax error"); at != std::string::npos) {
            message = "This is not JSON: " + without_excerpt(message.substr(at)) + ".";
        }
        add_at(position == 0 ? 0 : position - 1, "SYNTAX", message);
        return false;
    }

    Value take() { return std::move(root_); }

  private:
    bool scalar(Value::Kind kind, std::string text) {
        Value value;
        value.kind = kind;
        value.text = std::move(text);
        return put(std::move(value));
    }

    bool open(Value::Kind kind) {
        Value value;
        value.kind = kind;
        value.path = next_path();
        if (open_.size() >= kMaxDepth) {
            findings_.error("TOO_DEEP", value.path, "The contract is nested too deeply.",
                            "stay below " + std::to_string(kMaxDepth) + " levels");
            return false;
        }
        open_.push_back(std::move(value));
        names_.emplace_back();
        return true;
    }

    bool close() {
        Value value = std::move(open_.back());
        open_.pop_back();
        names_.pop_back();
        return put(std::move(value));
    }

    bool put(Value value) {
        value.path = next_path();
        if (open_.empty()) {
            root_ = std::move(value);
        } else if (open_.back().is(Value::Kind::array)) {
            open_.back().items.push_back(std::move(value));
        } else if (open_.back().find(names_.back()) == nullptr) {
            open_.back().members.push_back({names_.back(), std::move(value)});
        }
        return true;
    }

    std::string next_path() const {
        if (open_.empty()) return "";
        const Value& parent = open_.back();
        if (parent.is(Value::Kind::array)) return child(parent.path, parent.items.size());
        return child(parent.path, names_.back());
    }

    void repeated(const std::string& path, const std::string& name) {
        const diag::Position place = diag::SourceMap(text_).find(path + "#again");
        findings_.add({diag::Severity::error, "DUPLICATE_KEY", path, place.line, place.column,
                       "The key " + json_string(name) + " stands here a second time.",
                       "keep one of the two"});
    }

    void add_at(std::size_t offset, std::string code, std::string message) {
        const std::string_view before = text_.substr(0, std::min(offset, text_.size()));
        const int line = 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
        const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
        const int column = static_cast<int>(diag::characters(before.substr(line_begin))) + 1;
        findings_.add(
            {diag::Severity::error, std::move(code), "", line, column, std::move(message), {}});
    }

    std::string_view text_;
    diag::Findings& findings_;
    Value root_;
    std::vector<Value> open_;
    std::vector<std::string> names_;
};

}  // namespace

std::optional<Value> read_json(std::string_view text, diag::Findings& findings) {
    Builder builder(text, findings);
    if (!Json::sax_parse(text.begin(), text.end(), &builder)) return std::nullopt;
    return builder.take();
}

}  // namespace svc::contract
