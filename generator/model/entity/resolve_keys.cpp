// Lists of columns: `unique` and `indexes`.
#include <algorithm>
#include <set>

#include "model/names.hpp"
#include "model/parts.hpp"

namespace svc::model {
namespace {

// A name that an index or a unique may use.
bool is_column(const Entity& entity, const std::string& name) {
    const std::vector<std::string> made = builtin_columns(entity);
    return find_field(entity, name) || std::find(made.begin(), made.end(), name) != made.end();
}

void check_column(Work work, const Entity& entity, const std::string& name,
                  const std::string& path) {
    if (is_column(entity, name)) return;
    std::vector<std::string> known = field_names(entity);
    for (const std::string& made : builtin_columns(entity)) known.push_back(made);
    work.findings.missing("UNKNOWN_FIELD", name, path,
                          entity.name + " has no field \"" + name + "\".",
                          did_you_mean(name, known));
}

std::vector<std::string> plain_texts(const contract::Texts& texts) {
    std::vector<std::string> out;
    for (const contract::Text& text : texts) out.push_back(text.text);
    return out;
}

// A list of no columns; `at` is its place in the list of lists.
void no_columns(Work work, const Entity& entity, const char* key, std::size_t at) {
    const std::string path = contract::child(contract::child(entity.path, key), at);
    work.findings.missing("BAD_OPTION", path, path, "This list is empty.",
                          "name fields, or remove the list");
}

void uniques(Work work, const contract::Entity& in, Entity& out) {
    std::set<std::vector<std::string>> seen;
    for (std::size_t i = 0; i < in.unique.size(); ++i) {
        const contract::Texts& columns = in.unique[i];
        if (columns.empty()) no_columns(work, out, "unique", i);
        std::vector<std::string> made;
        for (const contract::Text& column : distinct(work, columns)) {
            check_column(work, out, column.text, column.path);
            made.push_back(column.text);
        }
        if (!made.empty() && !seen.insert(made).second) {
            work.findings.error("BAD_OPTION", columns.front().path,
                                "This group is already in \"unique\".", "remove it");
            continue;
        }
        if (!made.empty()) out.unique.push_back(std::move(made));
    }
}

void indexes(Work work, const contract::Entity& in, Entity& out) {
    std::set<std::vector<std::string>> seen;
    for (std::size_t i = 0; i < in.indexes.size(); ++i) {
        const contract::Texts& columns = in.indexes[i];
        if (columns.empty()) no_columns(work, out, "indexes", i);
        std::vector<std::string> names;
        std::vector<IndexColumn> made;
        for (const contract::Text& column : columns) {
            const bool descending = column.text.starts_with("-");
            const std::string name = column.text.substr(descending ? 1 : 0);
            check_column(work, out, name, column.path);
            if (contains(names, name)) {
                work.findings.error("BAD_OPTION", column.path, "\"" + name + "\" is listed twice.",
                                    "remove it");
            }
            names.push_back(name);
            made.push_back({name, descending});
        }
        if (!columns.empty() && !seen.insert(plain_texts(columns)).second) {
            work.findings.error("BAD_OPTION", columns.front().path,
                                "This index is already in \"indexes\".", "remove it");
            continue;
        }
        if (!made.empty()) out.indexes.push_back(std::move(made));
    }
}

}  // namespace

void resolve_keys(Work work, const contract::Entity& in, Entity& out) {
    uniques(work, in, out);
    indexes(work, in, out);
}

}  // namespace svc::model
