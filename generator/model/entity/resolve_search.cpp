// The fields in which callers search, and their weights.
#include <algorithm>
#include <map>

#include "model/names.hpp"
#include "model/parts.hpp"
#include "model/values.hpp"

namespace svc::model {
namespace {

constexpr std::size_t kWeightClasses = 4;  // PostgreSQL has A, B, C and D

void bad_search(Work work, const std::string& path, const std::string& message,
                const std::string& fix) {
    work.findings.error("BAD_SEARCH", path, message, fix);
}

// A positive number of few digits: 3, 0.5.
bool is_weight(const std::string& text) {
    return !text.empty() && text.size() <= 8 &&
           text.find_first_not_of("0123456789.") == std::string::npos && is_decimal(text) &&
           text.find_first_of("123456789") != std::string::npos;
}

bool is_searchable(const Field& field) {
    return is_text(field.type) || field.type == FieldType::enum_ ||
           field.type == FieldType::sequence;
}

void check_searched(Work work, const Field& field, const std::string& path) {
    if (field.broken) return;
    if (!is_searchable(field) || field.computed) {
        bad_search(work, path,
                   field.computed ? "A computed field cannot be searched."
                                  : "\"" + field.name + "\" cannot be searched: it holds no text.",
                   field.computed ? "search the fields from which it is computed"
                                  : "name string, text, enum or sequence fields");
    }
}

// The greatest weight is class A. Fields that not everybody may read share no class with others,
// because a search is restricted to classes. False: PostgreSQL has too few classes.
bool classes(const Entity& entity, std::vector<SearchField>& fields) {
    const auto key = [&](const SearchField& field) {
        return std::pair(-std::stod(field.weight), entity.fields[field.field].read);
    };
    std::map<decltype(key(fields.front())), char> letters;
    for (const SearchField& field : fields) letters[key(field)] = 'A';
    char next = 'A';
    for (auto& [unused, letter] : letters) letter = next++;
    for (SearchField& field : fields) field.weight_class = letters[key(field)];
    return letters.size() <= kWeightClasses;
}

}  // namespace

void resolve_search(Work work, std::size_t entity, const contract::Texts& in) {
    std::vector<SearchField>& out = work.out.entities[entity].search;
    for (const contract::Text& text : in) {
        const std::size_t caret = text.text.find('^');
        const contract::Text name{text.text.substr(0, caret), text.path};
        const auto field = resolve_own_field(work, entity, name);
        if (!field) continue;
        SearchField made;
        made.field = *field;
        if (caret != std::string::npos) made.weight = text.text.substr(caret + 1);
        if (!is_weight(made.weight)) {
            bad_search(work, text.path, "\"" + made.weight + "\" is not a weight.",
                       "write a number above 0: \"title^3\"");
            continue;
        }
        check_searched(work, work.out.entities[entity].fields[*field], text.path);
        const bool again = std::any_of(out.begin(), out.end(), [&](const SearchField& other) {
            return other.field == made.field;
        });
        if (again) {
            bad_search(work, text.path, "\"" + name.text + "\" is listed twice.", "remove it");
        } else {
            out.push_back(std::move(made));
        }
    }
    if (!classes(work.out.entities[entity], out)) {
        bad_search(
            work, in.front().path,
            "These fields have more than four different combinations of weight and \"read\" list.",
            "give some fields the same weight: PostgreSQL has four ranks");
    }
}

}  // namespace svc::model
