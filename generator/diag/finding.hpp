// The findings of a stage about a contract. Every stage collects all of its findings; the next one
// starts only when none of them is an error. Codes are stable and listed in docs/findings.md.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace svc::diag {

enum class Severity { error, warning };

struct Finding {
    Severity severity = Severity::error;
    std::string code;     // UNKNOWN_KEY, TYPE_MISMATCH, …
    std::string path;     // JSON pointer: /entities/0/fields/1/type
    int line = 0;         // in the contract's text, from 1; 0: not known
    int column = 0;       // in characters, from 1
    std::string message;  // one sentence in plain words
    std::string fix;      // what to do; may be empty
};

class Findings {
  public:
    void error(std::string code, std::string path, std::string message, std::string fix = {});
    void warning(std::string code, std::string path, std::string message, std::string fix = {});
    void add(Finding finding);

    // A name, or the path of a part of the contract, whose meaning is unknown because of a reported
    // mistake. A failure that follows from it is not a second mistake. A part without its own name
    // may be what any name means.
    static constexpr const char* kAnyName = "*";
    void doubt(std::string name_or_path) { doubts_.insert(std::move(name_or_path)); }
    bool doubts(const std::string& name_or_path) const;
    const std::set<std::string>& doubted() const { return doubts_; }
    void doubt_all(const std::set<std::string>& names) {
        doubts_.insert(names.begin(), names.end());
    }
    // Reports an error, unless the missing name is in doubt.
    void missing(std::string code, const std::string& name_or_path, std::string path,
                 std::string message, std::string fix = {});

    bool has_errors() const;
    const std::vector<Finding>& all() const { return items_; }
    // Sorts by line, column, then path.
    void sort();

    std::vector<Finding>& items() { return items_; }

  private:
    static constexpr std::size_t kMost = 1000;  // errors, and as many warnings
    std::size_t errors_ = 0, warnings_ = 0;
    std::vector<Finding> items_;
    std::set<std::string> doubts_;
};

// Prints the finding as a compiler does: file:line:column, the line itself, a caret, the fix. With
// ANSI colours if wanted.
std::string render(const Finding& finding, std::string_view file, std::string_view text,
                   bool colour);
// Prints all findings and their number.
std::string render(const Findings& findings, std::string_view file, std::string_view text,
                   bool colour);

// The candidate nearest to `word` by edit distance, or empty if none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace svc::diag
