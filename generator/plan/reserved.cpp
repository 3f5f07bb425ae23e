#include "plan/reserved.hpp"

#include <algorithm>

namespace svc::plan {
namespace {

// Words in sorted lists, several on each line.
// clang-format off
constexpr std::string_view kSqlReserved[] = {
    "all", "analyse", "analyze", "and", "any", "array", "as", "asc", "asymmetric",
    "authorization", "binary", "both", "case", "cast", "check", "collate", "collation",
    "column", "concurrently", "constraint", "create", "cross", "current_catalog",
    "current_date", "current_role", "current_schema", "current_time", "current_timestamp",
    "current_user", "default", "deferrable", "desc", "distinct", "do", "else", "end", "except",
    "false", "fetch", "for", "foreign", "freeze", "from", "full", "grant", "group", "having",
    "ilike", "in", "initially", "inner", "intersect", "into", "is", "isnull", "join", "lateral",
    "leading", "left", "like", "limit", "localtime", "localtimestamp", "natural", "not",
    "notnull", "null", "offset", "on", "only", "or", "order", "outer", "overlaps", "placing",
    "primary", "references", "returning", "right", "select", "session_user", "similar", "some",
    "symmetric", "table", "tablesample", "then", "to", "trailing", "true", "union", "unique",
    "user", "using", "variadic", "verbose", "when", "where", "window", "with"};

constexpr std::string_view kCppReserved[] = {
    "alignas", "alignof", "alloca", "and", "and_eq", "app", "asm", "assert", "auto", "be16toh",
    "be32toh", "be64toh", "bitand", "bitor", "bool", "break", "case", "catch", "char",
    "char16_t", "char32_t", "char8_t", "class", "co_await", "co_return", "co_yield", "compl",
    "concept", "const", "const_cast", "consteval", "constexpr", "constinit", "continue",
    "decltype", "default", "delete", "do", "double", "dynamic_cast", "else", "enum", "errno",
    "explicit", "export", "extern", "false", "float", "for", "friend", "functions", "goto",
    "htobe16", "htobe32", "htobe64", "htole16", "htole32", "htole64", "if", "inline", "int",
    "le16toh", "le32toh", "le64toh", "linux", "long", "main", "major", "makedev", "minor",
    "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "offsetof", "operator",
    "or", "or_eq", "org", "private", "protected", "public", "queries", "register",
    "reinterpret_cast", "requires", "return", "routes", "served", "short", "signed", "site",
    "sizeof", "static",
    "static_assert", "static_cast", "std", "stderr", "stdin", "stdout", "struct", "svc",
    "switch", "table", "template", "this", "thread_local", "throw", "to", "topics", "true",
    "try", "typedef", "typeid", "typename", "union", "unix", "unsigned", "using", "virtual",
    "void", "volatile", "wchar_t", "while", "xor"};
// clang-format on

}  // namespace

bool is_sql_reserved(std::string_view word) {
    return std::ranges::binary_search(kSqlReserved, word);
}

bool is_cpp_reserved(std::string_view word) {
    return std::ranges::binary_search(kCppReserved, word);
}

}  // namespace svc::plan
