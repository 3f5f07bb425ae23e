#include "plan/names.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/ascii.hpp"
#include "base/sha256.hpp"
#include "plan/reserved.hpp"

namespace svc::plan {
namespace {

bool plain(std::string_view name) {
    const auto ok = [](char c) { return base::is_lower(c) || base::is_digit(c) || c == '_'; };
    return !name.empty() && !(name[0] >= '0' && name[0] <= '9') &&
           std::all_of(name.begin(), name.end(), ok);
}

std::string doubled(std::string_view text, char quote) {
    std::string out(1, quote);
    for (const char c : text) {
        if (c == quote) out += quote;
        out += c;
    }
    return out += quote;
}

}  // namespace

std::string ident(std::string_view name) {
    return plain(name) && !is_sql_reserved(name) ? std::string(name) : quoted(name);
}

std::string quoted(std::string_view name) { return doubled(name, '"'); }

std::string table(std::string_view name) { return "public." + ident(name); }

std::string rows_of(const model::Entity& entity) {
    return entity.external ? kForeignSchema + "." + ident(entity.name) : table(entity.name);
}

std::string statement_name(std::string_view query) {
    std::string readable(query.substr(0, 26));
    std::replace(readable.begin(), readable.end(), '/', '_');
    return "svc_query_" + readable + "_" + base::sha256_hex(query).substr(0, 16);
}

std::string server_name(std::string_view secret) {
    const std::string name = kForeignSchema + "_" + std::string(secret);
    return name.size() <= kMaxName ? name
                                   : kForeignSchema + "_" + base::sha256_hex(name).substr(0, 32);
}

std::string literal(std::string_view text) { return doubled(text, '\''); }

std::string dollar_quoted(std::string_view body) {
    std::string tag = "$svc$";
    for (int n = 1; body.find(tag) != std::string_view::npos; ++n) {
        tag = "$svc" + std::to_string(n) + "$";
    }
    return tag + "\n" + std::string(body) + tag;
}

std::string pascal_case(std::string_view name) {
    std::string out;
    bool upper = true;
    for (const char c : name) {
        if (c == '_') {
            upper = true;
            continue;
        }
        out += upper ? base::upper(c) : c;
        upper = false;
    }
    return out;
}

std::string cpp_identifier(std::string_view name) {
    return std::string(name) + (is_cpp_reserved(name) ? "_" : "");
}

std::string namespace_name(std::string_view app_name) {
    std::string out;
    for (const char c : app_name) {
        const bool letter = base::is_letter(c);
        const bool digit = base::is_digit(c);
        if (letter) {
            out += static_cast<char>(c | 0x20);
        } else if (digit && !out.empty()) {
            out += c;
        } else if (!out.empty() && out.back() != '_') {
            out += '_';
        }
    }
    while (!out.empty() && out.back() == '_') out.pop_back();
    return out.empty() ? "contract" : cpp_identifier(out.substr(0, 48));
}

void check_names(const model::Model& model, diag::Findings& findings) {
    std::map<std::string, std::string> structs;
    std::set<std::string> refused;
    for (const diag::Finding& finding : findings.all()) {
        if (finding.code == "BAD_NAME") refused.insert(finding.path);
    }
    for (const model::Entity& entity : model.entities) {
        if (refused.contains(entity.path + "/name")) continue;
        const auto [at, fresh] = structs.emplace(pascal_case(entity.name), entity.name);
        if (!fresh && at->second != entity.name) {
            findings.error("NAME_COLLISION", entity.path + "/name",
                           entity.name + " and " + at->second + " both become the C++ struct " +
                               at->first + ".",
                           "rename one of them");
        }
        for (const model::Field& field : entity.fields) {
            const std::string longest = entity.name + "_" + field.name + "_pattern";
            if (longest.size() > kMaxName && !refused.contains(field.path + "/name")) {
                findings.error("NAME_TOO_LONG", field.path + "/name",
                               "The database name " + longest + " would have " +
                                   std::to_string(longest.size()) +
                                   " bytes, but 63 is the maximum.",
                               "Shorten the name of the entity or of the field.");
            }
        }
    }
}

}  // namespace svc::plan
