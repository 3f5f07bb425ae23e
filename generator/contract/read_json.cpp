#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

#include "base/utf8.hpp"
#include "contract/value.hpp"
#include "diag/json_mistake.hpp"
#include "diag/source_map.hpp"

namespace svc::contract {
namespace {

using Json = nlohmann::ordered_json;

// Everything that walks a contract may recurse, because nothing deeper than this passes.
constexpr std::size_t kMaxDepth = 100;
constexpr std::size_t kMostItems = 5000;  // of a list or an object, but for seeds and values

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
            findings_.error("BAD_TEXT", next_path(), "A string contains the character \\u0000.",
                            "remove the character: PostgreSQL cannot store it");
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
        repeated_.back() = !known_.back().insert(name).second;
        if (repeated_.back()) repeated(child(open_.back().path, name), name);
        return true;
    }

    bool parse_error(std::size_t position, const std::string&,
                     const nlohmann::detail::exception& error) override {
        findings_.add(diag::json_mistake(text_, position, error.what()));
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
                            "nest at most " + std::to_string(kMaxDepth) + " levels");
            return false;
        }
        open_.push_back(std::move(value));
        names_.emplace_back();
        known_.emplace_back();
        repeated_.push_back(false);
        return true;
    }

    bool close() {
        Value value = std::move(open_.back());
        open_.pop_back();
        names_.pop_back();
        known_.pop_back();
        repeated_.pop_back();
        return put(std::move(value));
    }

    bool put(Value value) {
        value.path = next_path();
        if (open_.empty()) {
            root_ = std::move(value);
        } else if (is_full(open_.back())) {
            findings_.error("TOO_MANY_ITEMS", open_.back().path,
                            "This has more than " + std::to_string(kMostItems) + " items.",
                            "remove some; only \"values\" and lists in \"seeds\" may be longer");
            return false;
        } else if (open_.back().is(Value::Kind::array)) {
            open_.back().items.push_back(std::move(value));
        } else if (!repeated_.back()) {
            open_.back().members.push_back({names_.back(), std::move(value)});
        }
        return true;
    }

    // True if the container has as many items as it may. The limit bounds the search for the
    // nearest name of a wrong one, which compares it with all.
    static bool is_full(const Value& container) {
        const std::size_t count = container.items.size() + container.members.size();
        const bool is_long =
            container.path.starts_with("/seeds") || container.path.ends_with("/values");
        return count >= kMostItems && !is_long;
    }

    std::string next_path() const {
        if (open_.empty()) return "";
        const Value& parent = open_.back();
        if (parent.is(Value::Kind::array)) return child(parent.path, parent.items.size());
        return child(parent.path, names_.back());
    }

    void repeated(const std::string& path, const std::string& name) {
        if (!places_) places_.emplace(text_);
        const diag::Position place = places_->find(path + "#again");
        findings_.add({diag::Severity::error, "DUPLICATE_KEY", path, place.line, place.column,
                       "The key " + json_string(name) + " occurs twice in this object.",
                       "remove one of the two"});
    }

    std::string_view text_;
    diag::Findings& findings_;
    std::optional<diag::SourceMap> places_;
    Value root_;
    std::vector<Value> open_;
    std::vector<std::string> names_;
    // Beside `open_`: the keys so far, as an object may have very many; and whether the last of
    // them stood there before.
    std::vector<std::unordered_set<std::string>> known_;
    std::vector<bool> repeated_;
};

}  // namespace

std::optional<Value> read_json(std::string_view text, diag::Findings& findings) {
    Builder builder(text, findings);
    if (!Json::sax_parse(text.begin(), text.end(), &builder)) return std::nullopt;
    return builder.take();
}

}  // namespace svc::contract
