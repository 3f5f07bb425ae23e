#include "emit/sql_lines.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "base/ascii.hpp"

namespace svc::emit {
namespace {

constexpr std::size_t kMaxColumns = 120;
constexpr std::size_t kIndent = 4;

// The words that a line may begin with: clauses and connectives.
constexpr auto kOpeners = std::to_array<std::string_view>(
    {"and",    "or",    "from",   "where",   "join",      "left",  "order",      "group",
     "having", "limit", "union",  "values",  "returning", "on",    "references", "check",
     "when",   "else",  "select", "returns", "language",  "using", "with",       "||"});

// Pairs whose second word begins no clause.
constexpr auto kPairs = std::to_array<std::pair<std::string_view, std::string_view>>(
    {{"distinct", "from"}, {"comment", "on"}});

bool is_word_char(char c) { return base::is_alphanumeric(c) || c == '_'; }

// "$svc$" at its beginning; empty if no dollar quote begins here.
std::string_view dollar_tag(std::string_view text) {
    std::size_t end = 1;
    while (end < text.size() && is_word_char(text[end])) ++end;
    const bool tag = end < text.size() && text[end] == '$' && !base::is_digit(text[1]);
    return tag ? text.substr(0, end + 1) : std::string_view();
}

// At most one text in dollar quotes, and that the body of a definition, which reads like what is
// around it. Elsewhere it is a value, whose blanks are its own.
bool is_plain_sql(std::string_view sql) {
    if (sql.find('\\') != std::string_view::npos || sql.find("/*") != std::string_view::npos)
        return false;
    std::vector<std::string_view> tags;
    for (std::size_t at = 0; (at = sql.find('$', at)) != std::string_view::npos;) {
        const std::string_view tag = dollar_tag(sql.substr(at));
        if (!tag.empty()) tags.push_back(tag);
        at += std::max<std::size_t>(tag.size(), 1);
    }
    return tags.empty() || (tags.size() == 2 && tags[0] == tags[1] && sql.starts_with("create "));
}

// A space of a line that may become the line's end.
struct Place {
    std::size_t at;
    int depth;  // of parentheses, counted from the line's beginning
    bool opens;
    bool better_than(const Place& other) const {
        if (depth != other.depth) return depth < other.depth;
        return opens == other.opens ? at > other.at : opens;
    }
};

// Reads SQL by its characters, over all lines, as quoted text may have several.
class Places {
  public:
    // The places of the next line.
    std::vector<Place> of(std::string_view line) {
        out_.clear();
        depth_ = 0;
        between_ = kNone;
        last_ = word_at(line, 0);
        for (std::size_t i = 0; i < line.size() && !is_comment(line, i); ++i) {
            const char c = line[i];
            if (quote_ != 0) {
                if (c == quote_) quote_ = 0;
                continue;
            }
            if (c == '\'' || c == '"') quote_ = c;
            depth_ += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (c == ' ' && i > 0) space(line, i);
        }
        return out_;
    }

  private:
    void space(std::string_view line, std::size_t at) {
        const std::string_view next = word_at(line, at + 1);
        const bool ends_between = next == "and" && between_ == depth_;
        if (next == "between") between_ = depth_;
        if (ends_between) between_ = kNone;
        const bool opens = !ends_between && is_opener(last_, next);
        if (opens || line[at - 1] == ',') out_.push_back({at, depth_, opens});
        last_ = next;
    }

    bool is_comment(std::string_view line, std::size_t at) const {
        return quote_ == 0 && line.substr(at, 2) == "--";
    }

    static bool is_opener(std::string_view last, std::string_view next) {
        return std::ranges::find(kOpeners, next) != kOpeners.end() &&
               std::ranges::find(kPairs, std::pair(last, next)) == kPairs.end();
    }

    static std::string_view word_at(std::string_view line, std::size_t at) {
        if (line.substr(at, 2) == "||") return line.substr(at, 2);
        std::size_t end = at;
        while (end < line.size() && is_word_char(line[end])) ++end;
        return line.substr(at, end - at);
    }

    static constexpr int kNone = -1'000'000;

    char quote_ = 0;
    std::vector<Place> out_;
    int depth_ = 0;
    int between_ = kNone;  // the depth of one whose "and" is still to come
    std::string_view last_;
};

std::optional<std::size_t> best_place(const std::vector<Place>& all, std::size_t begin,
                                      std::size_t end) {
    std::optional<Place> best;
    for (const Place& one : all) {
        const bool fits = one.at > begin && one.at <= end;
        if (fits && (!best || one.better_than(*best))) best = one;
    }
    if (!best) return std::nullopt;
    return best->at;
}

void add_line(std::string_view line, const std::vector<Place>& places, std::string& out) {
    const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
    const std::string further(first + kIndent, ' ');
    std::size_t begin = 0, indent = 0;
    while (line.size() - begin + indent > kMaxColumns) {
        const std::size_t from = std::max(begin, first);
        const auto place = best_place(places, from, begin + kMaxColumns - indent);
        if (!place) break;
        out += line.substr(begin, *place - begin);
        out += "\n" + further;
        begin = *place + 1;
        indent = further.size();
    }
    out += line.substr(begin);
}

}  // namespace

std::string sql_lines(std::string_view sql) {
    if (!is_plain_sql(sql)) return std::string(sql);
    std::string out;
    Places places;
    for (std::size_t at = 0; at <= sql.size();) {
        const std::size_t end = std::min(sql.find('\n', at), sql.size());
        const std::string_view line = sql.substr(at, end - at);
        add_line(line, places.of(line), out);
        if (end < sql.size()) out += '\n';
        at = end + 1;
    }
    return out;
}

}  // namespace svc::emit
