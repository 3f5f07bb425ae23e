#include "query/scratch/node_tree.hpp"
#include "base/number.hpp"

#include <algorithm>
#include <charconv>
#include <map>

namespace svc::query {
namespace {

using What = Resolved::What;

constexpr unsigned kMostDepth = 4000;

// Members whose names end as those of types do, and which are numbers of kinds.
constexpr std::string_view kNumbered[] = {"commandType", "jointype", "booltesttype", "nulltesttype",
                                          "subLinkType", "rctype",   "cmptype",      "funcformat"};

bool ends_as_type(std::string_view key) {
    for (const char* end : {"type", "types", "Type", "Types", "typeid", "typeId"})
        if (key.ends_with(end)) return std::ranges::find(kNumbered, key) == std::end(kNumbered);
    return false;
}

std::optional<What> what_of(std::string_view label, std::string_view key) {
    if (key == "funcid" || key == "aggfnoid" || key == "winfnoid") return What::function;
    if (key == "opno" || key == "opnos" || key == "eqop" || key == "sortop") return What::op;
    if (key == "relid") return What::relation;
    if (label == "VAR" && key == "vartype") return What::column;
    if (ends_as_type(key)) return What::type;
    return std::nullopt;
}

int number(std::string_view text) { return base::number_of(text, -1); }

class TreeReader {
  public:
    explicit TreeReader(std::string_view text) : text_(text) {}

    std::optional<std::vector<Resolved>> read() {
        const bool good = value(nullptr, {}) && (skip(), at_ == text_.size());
        if (!good) return std::nullopt;
        return std::move(found_);
    }

  private:
    struct Node {
        std::string label;
        std::size_t first;  // of what was found in it
        int location = -1;
        std::string format = {};  // of a function's call
        std::size_t function = static_cast<std::size_t>(-1);
    };

    void skip() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
    }
    bool next_is(char c) {
        skip();
        return at_ < text_.size() && text_[at_] == c;
    }

    // Up to a blank or a bracket that no backslash hides.
    std::string_view atom() {
        skip();
        const std::size_t from = at_;
        while (at_ < text_.size() &&
               std::string_view(" \n(){}").find(text_[at_]) == std::string_view::npos)
            at_ += text_[at_] == '\\' ? 2 : 1;
        at_ = std::min(at_, text_.size());
        return text_.substr(from, at_ - from);
    }

    bool value(Node* of, std::string_view key) {
        if (++depth_ > kMostDepth) return false;
        const bool good = next_is('{') ? node() : next_is('(') ? list(of, key) : single(of, key);
        --depth_;
        return good;
    }

    bool single(Node* of, std::string_view key) {
        const std::string_view word = atom();
        if (word.empty()) return false;
        if (of) set(*of, key, word);
        if (key != "constvalue" || !next_is('[')) return true;
        // The bytes of a constant.
        for (std::string_view byte = atom(); byte != "]"; byte = atom())
            if (byte.empty()) return false;
        return true;
    }

    bool list(Node* of, std::string_view key) {
        ++at_;
        while (!next_is(')'))
            if (!value(of, key)) return false;
        ++at_;
        return true;
    }

    bool node() {
        ++at_;
        Node node{std::string(atom()), found_.size()};
        if (node.label.empty()) return false;
        found_.push_back({What::node, 0, -1, node.label});
        while (!next_is('}')) {
            if (!next_is(':')) return false;
            ++at_;
            const std::string_view key = atom();
            if (key.empty() || !value(&node, key)) return false;
        }
        ++at_;
        close(node);
        return true;
    }

    void set(Node& node, std::string_view key, std::string_view word) {
        if (key == "location") node.location = number(word);
        if (key == "funcformat") node.format = word;
        const auto what = what_of(node.label, key);
        std::uint32_t id = 0;
        if (!what || std::from_chars(word.data(), word.data() + word.size(), id).ec != std::errc{})
            return;
        if (id == 0) return;
        if (key == "funcid") node.function = found_.size();
        found_.push_back({*what, id});
    }

    // COERCE_EXPLICIT_CAST and COERCE_IMPLICIT_CAST; a place is also that of what has none inside.
    void close(const Node& node) {
        const bool cast = node.format == "1" || node.format == "2";
        if (cast && node.function < found_.size()) found_[node.function].what = What::cast;
        for (std::size_t i = node.first; i < found_.size(); ++i)
            if (found_[i].at < 0) found_[i].at = node.location;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    unsigned depth_ = 0;
    std::vector<Resolved> found_;
};

}  // namespace

std::optional<std::vector<Resolved>> read_node_tree(std::string_view text) {
    return TreeReader(text).read();
}

}  // namespace svc::query
