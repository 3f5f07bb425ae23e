#include <set>

#include "model/names.hpp"
#include "model/parts.hpp"

namespace svc::model {
namespace {

// The value of the row, after its kind. None if it is null or is made later.
std::optional<std::string> seeded_value(const Entity& entity, const SeedRow& row,
                                        const std::string& column) {
    if (column == "user_id" && !row.owner_key.empty()) return "@" + row.owner_key;
    for (const SeedValue& value : row.values) {
        if (entity.fields[value.field].name != column || value.null) continue;
        if (!value.ref_key.empty()) return "@" + value.ref_key;
        if (!value.text.empty()) return "=" + value.text;
    }
    return std::nullopt;
}

std::optional<std::vector<std::string>> seeded_values(const Entity& entity, const SeedRow& row,
                                                      const std::vector<std::string>& columns) {
    std::vector<std::string> out;
    for (const std::string& column : columns) {
        std::optional<std::string> value = seeded_value(entity, row, column);
        if (!value) return std::nullopt;
        out.push_back(std::move(*value));
    }
    return out;
}

std::string seed_place(const Entity& entity, const SeedRow& row, const std::string& column) {
    return row.path + "/" + (find_field(entity, column) ? column : "_as");
}

void differ(Work work, const Entity& entity, const std::vector<SeedRow>& rows,
            const std::vector<std::string>& columns) {
    std::set<std::vector<std::string>> seen;
    for (const SeedRow& row : rows) {
        auto values = seeded_values(entity, row, columns);
        if (!values || seen.insert(std::move(*values)).second) continue;
        const bool one = columns.size() == 1;
        work.findings.error("BAD_SEED", seed_place(entity, row, columns.back()),
                            "Another row of " + entity.name + " has the same " + joined(columns) +
                                ", which " + (one ? "is unique." : "are unique together."),
                            "change one of the two rows");
    }
}

}  // namespace

contract::Texts distinct(Work work, const contract::Texts& texts) {
    contract::Texts out;
    std::set<std::string> seen;
    for (const contract::Text& text : texts) {
        if (seen.insert(text.text).second) {
            out.push_back(text);
        } else {
            work.findings.error("BAD_OPTION", text.path, "\"" + text.text + "\" is listed twice.",
                                "remove it");
        }
    }
    return out;
}

std::vector<std::string> distinct_names(Work work, const contract::Texts& texts) {
    std::vector<std::string> out;
    for (const contract::Text& text : distinct(work, texts)) out.push_back(text.text);
    return out;
}

void check_seed_uniques(Work work, const Entity& entity, const std::vector<SeedRow>& rows) {
    for (const Field& field : entity.fields) {
        if (field.unique) differ(work, entity, rows, {field.name});
    }
    for (const std::vector<std::string>& columns : entity.unique) {
        if (!columns.empty()) differ(work, entity, rows, columns);
    }
}

}  // namespace svc::model
