#include "verify/query/query_text.hpp"

#include <algorithm>
#include <cctype>

#include "base/ascii.hpp"

namespace svc::devapi::verification {
namespace {

bool is_word(char c) { return base::is_alphanumeric(c) || c == '_'; }

// In small letters, with one blank between words.
std::string folded(const std::string& sql) {
    std::string out = " ";
    for (const char c : sql) {
        if (is_word(c))
            out += base::lower(c);
        else if (out.back() != ' ')
            out += ' ';
    }
    return out + " ";
}

bool has_word(const std::string& folded, const std::string& word) {
    return folded.find(" " + word + " ") != std::string::npos;
}

constexpr const char* kOrderly[] = {"limit",
                                    "fetch",
                                    "offset",
                                    "distinct on",
                                    "array_agg",
                                    "string_agg",
                                    "json_agg",
                                    "jsonb_agg",
                                    "json_object_agg",
                                    "jsonb_object_agg",
                                    "over",
                                    "age",
                                    "now",
                                    "current_date",
                                    "current_time",
                                    "current_timestamp",
                                    "localtime",
                                    "localtimestamp",
                                    "statement_timestamp",
                                    "transaction_timestamp"};

}  // namespace

bool depends_on_order(const std::string& sql) {
    const std::string words = folded(sql);
    return std::ranges::any_of(kOrderly, [&](const char* word) { return has_word(words, word); });
}

std::vector<std::size_t> entities_in(const model::Model& model, const std::string& sql) {
    const std::string words = folded(sql);
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < model.entities.size(); ++i)
        if (has_word(words, model.entities[i].name)) out.push_back(i);
    return out;
}

}  // namespace svc::devapi::verification
