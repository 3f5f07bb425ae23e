#include "query/scratch/in_temporary.hpp"

#include "base/ascii.hpp"

namespace svc::query {
namespace {

constexpr std::string_view kSchemas[] = {"public.", "svc_ext.", "svc."};

bool in_name(char c) { return base::is_alphanumeric(c) || c == '_' || c == '$' || c == '"'; }

// The length of the schema at the begin of a name, point included; 0: none.
std::size_t schema_at(std::string_view sql, std::size_t at) {
    if (at > 0 && (in_name(sql[at - 1]) || sql[at - 1] == '.')) return 0;
    for (const std::string_view schema : kSchemas) {
        if (sql.substr(at).starts_with(schema)) return schema.size();
    }
    return 0;
}

}  // namespace

std::string in_temporary(std::string_view sql) {
    std::string out;
    char quote = '\0';  // that ends what is quoted
    for (std::size_t at = 0; at < sql.size();) {
        const char c = sql[at];
        const std::size_t length = quote == '\0' ? schema_at(sql, at) : 0;
        if (length > 0) {
            out += "pg_temp.";
            at += length;
            continue;
        }
        if (quote != '\0') {
            if (c == quote) quote = '\0';
        } else if (c == '\'' || c == '"') {
            quote = c;
        }
        out += c;
        ++at;
    }
    return out;
}

}  // namespace svc::query
