#include "diag/source_map.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/json_pointer.hpp"
#include "base/utf8.hpp"

namespace svc::diag {
namespace {

// After a pointer: means the member's name, not its value.
constexpr std::string_view kKey = "#key";
// After a pointer: means a byte inside its string; the number follows.
constexpr std::string_view kInside = "#byte";

// Walks valid JSON without building it. Member names keep their escapes except for \" \\ \/:
// pointers name members of contracts, and none of those needs another.
class Scanner {
  public:
    using Places = std::map<std::string, Position, std::less<>>;

    Scanner(std::string_view text, Places& values, Places& keys)
        : text_(text), values_(values), keys_(keys) {}

    void value(const std::string& pointer) {
        blanks();
        if (at_end() || depth_ >= kMaxDepth) return;
        values_.emplace(pointer, here());
        ++depth_;
        switch (text_[at_]) {
            case '{':
                object(pointer);
                break;
            case '[':
                array(pointer);
                break;
            case '"':
                string();
                break;
            default:
                while (!at_end() && !ends_scalar(text_[at_])) step();
        }
        --depth_;
    }

  private:
    static constexpr int kMaxDepth = 512;

    static bool ends_scalar(char c) {
        return c == ',' || c == ']' || c == '}' || c == ' ' || c == '\n' || c == '\r' || c == '\t';
    }

    void object(const std::string& pointer) {
        step();
        for (blanks(); !at_end() && text_[at_] == '"'; blanks()) {
            const Position place = here();
            const std::string member = pointer + "/" + base::pointer_part(string());
            if (!keys_.emplace(member, place).second) keys_.emplace(member + "#again", place);
            blanks();
            if (!skip(':')) return;
            value(member);
            blanks();
            if (!skip(',')) break;
        }
        skip('}');
    }

    void array(const std::string& pointer) {
        step();
        blanks();
        for (std::size_t i = 0; !at_end() && text_[at_] != ']'; ++i) {
            value(pointer + "/" + std::to_string(i));
            blanks();
            if (!skip(',')) break;
        }
        skip(']');
    }

    std::string string() {
        std::string out;
        step();
        while (!at_end() && text_[at_] != '"') {
            if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
                step();
                const char c = text_[at_];
                if (c != '"' && c != '\\' && c != '/') out += '\\';
            }
            out += text_[at_];
            step();
        }
        if (!at_end()) step();
        return out;
    }

    bool at_end() const { return at_ >= text_.size(); }
    Position here() const { return {line_, column_, at_}; }

    void step() {
        const char c = text_[at_++];
        if (c == '\n') {
            ++line_;
            column_ = 1;
        } else if (!base::continues_character(c)) {
            ++column_;
        }
    }

    void blanks() {
        while (!at_end() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' ||
                             text_[at_] == '\r')) {
            step();
        }
    }

    bool skip(char c) {
        if (at_end() || text_[at_] != c) return false;
        step();
        return true;
    }

    std::string_view text_;
    Places& values_;
    Places& keys_;
    std::size_t at_ = 0;
    int line_ = 1;
    int column_ = 1;
    int depth_ = 0;
};

// How many bytes of a JSON string's text make its first `count` bytes: an escape is longer than
// what it means.
std::size_t written(std::string_view literal, std::size_t count) {
    std::size_t at = 0;
    for (std::size_t meant = 0; meant < count && at < literal.size() && literal[at] != '"';) {
        const bool unicode = literal.substr(at, 2) == "\\u";
        if (!unicode) {
            at += literal[at] == '\\' ? 2 : 1;
            meant += 1;
            continue;
        }
        const auto unit = std::strtoul(std::string(literal.substr(at + 2, 4)).c_str(), nullptr, 16);
        const bool surrogate = unit >= 0xD800 && unit < 0xDC00;  // the first of two escapes
        at += surrogate ? 12 : 6;
        meant += surrogate ? 4U : unit < 0x80 ? 1U : unit < 0x800 ? 2U : 3U;
    }
    return at;
}

// The position of the mark of inside(); npos if there is none.
std::size_t mark_of(std::string_view pointer) {
    const std::size_t mark = pointer.rfind(kInside);
    if (mark == std::string_view::npos) return mark;
    const std::string_view count = pointer.substr(mark + kInside.size());
    const bool digits = count.find_first_not_of("0123456789") == std::string_view::npos;
    return digits && !count.empty() ? mark : std::string_view::npos;
}

}  // namespace

std::string inside(const std::string& pointer, std::size_t offset) {
    return pointer + std::string(kInside) + std::to_string(offset);
}

SourceMap::SourceMap(std::string_view text) : text_(text) {
    Scanner(text, values_, keys_).value("");
}

// A JSON string is on one line.
Position SourceMap::within(std::string_view pointer, std::size_t offset) const {
    Position place = find(pointer);
    if (place.line == 0 || text_.substr(place.offset, 1) != "\"") return place;
    const std::size_t more = 1 + written(text_.substr(place.offset + 1), offset);
    place.column += static_cast<int>(base::characters(text_.substr(place.offset, more)));
    place.offset += more;
    return place;
}

Position SourceMap::find(std::string_view pointer) const {
    if (const auto mark = mark_of(pointer); mark != std::string_view::npos) {
        const std::string count(pointer.substr(mark + kInside.size()));
        return within(pointer.substr(0, mark), std::strtoul(count.c_str(), nullptr, 10));
    }
    const char* const end = pointer.data() + pointer.size();
    if (pointer.ends_with(kKey)) pointer.remove_suffix(kKey.size());
    const bool of_name = pointer.data() + pointer.size() != end || pointer.ends_with("#again");
    if (const auto key = keys_.find(pointer); of_name && key != keys_.end()) return key->second;
    for (;;) {
        if (const auto value = values_.find(pointer); value != values_.end()) return value->second;
        const std::size_t slash = pointer.rfind('/');
        if (slash == std::string_view::npos) return {};
        pointer = pointer.substr(0, slash);
    }
}

void SourceMap::locate(Findings& findings) const {
    for (Finding& finding : findings.items()) {
        if (finding.line != 0) continue;
        const Position place = find(finding.path);
        finding.line = place.line;
        finding.column = place.column;
        finding.path.resize(std::min(mark_of(finding.path), finding.path.size()));
        if (finding.path.ends_with(kKey)) finding.path.resize(finding.path.size() - kKey.size());
    }
}

}  // namespace svc::diag
