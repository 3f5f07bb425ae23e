#include "migrate/seed/seed_hashes.hpp"

#include "base/json_text.hpp"
#include "base/sha256.hpp"

namespace svc::migrate {
namespace {

constexpr std::size_t kHashLetters = 16;

std::string hash_of(const std::string& kind, const std::string& value) {
    return base::sha256_hex_of({kind, value}).substr(0, kHashLetters);
}

std::string hash_of(const plan::SeedRow::Value& value) {
    if (value.null) return hash_of("null", "");
    if (!value.sql.empty()) return hash_of("sql", value.sql);
    if (!value.ref_key.empty()) return hash_of("ref", value.ref_entity + "/" + value.ref_key);
    return hash_of("text", value.text);
}

}  // namespace

FieldHashes field_hashes_of(const plan::SeedRow& row) {
    FieldHashes out;
    for (std::size_t i = 0; i < row.columns.size(); ++i)
        out[row.columns[i]] = hash_of(row.values[i]);
    return out;
}

FieldHashes field_hashes_of(const plan::SeedUser& user) {
    return {{"email", hash_of("text", user.email)},
            {"name", hash_of("text", user.name)},
            {"persona", hash_of("text", user.persona)},
            {"is_admin", hash_of("text", user.is_admin ? "true" : "false")}};
}

std::vector<std::string> changed(const FieldHashes& before, const FieldHashes& now) {
    std::vector<std::string> out;
    for (const auto& [column, hash] : now) {
        const auto old = before.find(column);
        if (old == before.end() || old->second != hash) out.push_back(column);
    }
    return out;
}

std::string to_json(const FieldHashes& field_hashes) {
    std::string out = "{";
    for (const auto& [column, hash] : field_hashes) {
        if (out.size() > 1) out += ',';
        base::append_json(out, column);
        out += ':';
        base::append_json(out, hash);
    }
    return out + "}";
}

}  // namespace svc::migrate
