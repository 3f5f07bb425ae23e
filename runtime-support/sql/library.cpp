#include "sql/library.hpp"

#include <dlfcn.h>

#include <stdexcept>
#include <string>

namespace svc::sql {
namespace {

constexpr const char* kFile = SVC_PG_QUERY_FILE;

template <typename Function>
void find(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (!function) throw std::runtime_error(std::string(kFile) + " has no " + name + ".");
}

PgQueryLibrary load() {
    void* library = dlopen(kFile, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        throw std::runtime_error(
            std::string("The library libpg_query, PostgreSQL's grammar, is not installed:  ") +
            dlerror());
    PgQueryLibrary out{};
    find(library, "pg_query_parse", out.parse);
    find(library, "pg_query_free_parse_result", out.free_parse);
    find(library, "pg_query_scan", out.scan);
    find(library, "pg_query_free_scan_result", out.free_scan);
    find(library, "pg_query_split_with_scanner", out.split);
    find(library, "pg_query_free_split_result", out.free_split);
    return out;
}

}  // namespace

const PgQueryLibrary& pg_query_library() {
    static const PgQueryLibrary kLibrary = load();
    return kLibrary;
}

}  // namespace svc::sql
