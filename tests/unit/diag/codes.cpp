// docs/findings.md and the codes of the sources are the same list.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "paths.hpp"

namespace {

using Codes = std::set<std::string>;

std::string read(const std::filesystem::path& path) {
    std::ifstream in(path);
    std::stringstream out;
    out << in.rdbuf();
    return out.str();
}

void collect(const std::string& text, const std::regex& pattern, Codes& codes) {
    for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) {
        if ((*it)[1].matched) codes.insert((*it)[1]);
    }
}

// Literals of capitals with an underscore are codes, but for what getenv() and envname() ask for,
// and for Linux capabilities.
Codes of_sources() {
    const std::regex literal(
        "env(?:name)?\\(\"[^\"]*\"|\"CAP_[A-Z]+\"|\"([A-Z]+(?:_[A-Z]+)+|SYNTAX)\"");
    Codes codes;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(
             std::filesystem::path(SVC_SOURCE_DIR) / "generator")) {
        const bool has_codes =
            entry.path().extension() == ".cpp" || entry.path().filename() == "codes.hpp";
        if (has_codes) collect(read(entry.path()), literal, codes);
    }
    // An apply adds findings of its own.
    const std::regex finding(R"re(findings\.(?:error|warning)\(\s*"([A-Z_]+)")re");
    for (const auto& entry : std::filesystem::recursive_directory_iterator(
             std::filesystem::path(SVC_SOURCE_DIR) / "devapi")) {
        if (entry.path().extension() == ".cpp") collect(read(entry.path()), finding, codes);
    }
    return codes;
}

Codes of_documentation() {
    Codes codes;
    collect(read(std::filesystem::path(SVC_SOURCE_DIR) / "docs/findings.md"),
            std::regex("\\n\\| `([A-Z_]+)` \\|"), codes);
    return codes;
}

TEST(DiagCodes, AreAllDocumented) {
    const Codes documented = of_documentation();
    for (const std::string& code : of_sources()) {
        EXPECT_TRUE(documented.count(code)) << code << " is missing in docs/findings.md";
    }
}

TEST(DiagCodes, AreAllUsed) {
    const Codes used = of_sources();
    for (const std::string& code : of_documentation()) {
        EXPECT_TRUE(used.count(code)) << code << " of docs/findings.md is in no source";
    }
}

}  // namespace
