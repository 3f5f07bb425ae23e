#include "build/chunks.hpp"

#include <gtest/gtest.h>

#include <set>

namespace svc::build {
namespace {

emit::FileSet entities(int count) {
    emit::FileSet files{{"main.cpp", "int main() {}\n"}};
    for (int i = 0; i < count; ++i) {
        const std::string name = "e" + std::to_string(i);
        files[name + ".hpp"] = "#pragma once\n";
        files[name + ".cpp"] = "#include \"" + name + ".hpp\"\n";
    }
    return files;
}

std::set<std::string> keys(const std::vector<Chunk>& chunks) {
    std::set<std::string> all;
    for (const Chunk& chunk : chunks) all.insert(chunk.key);
    return all;
}

TEST(Chunks, every_source_stands_in_one_chunk) {
    std::size_t sources = 0;
    for (const Chunk& chunk : chunks_of(entities(30), 2, "")) {
        EXPECT_LE(chunk.sources.size(), 8U);
        sources += chunk.sources.size();
    }
    EXPECT_EQ(sources, 31U);
    EXPECT_GE(chunks_of(entities(4), 4, "").size(), 4U);
    EXPECT_EQ(chunks_of(entities(0), 4, "").size(), 1U);
}

TEST(Chunks, one_more_entity_changes_one_chunk) {
    const auto before = keys(chunks_of(entities(60), 2, ""));
    auto files = entities(60);
    files["e30_more.hpp"] = "#pragma once\n";
    files["e30_more.cpp"] = "#include \"e30_more.hpp\"\n";
    std::size_t fresh = 0;
    for (const auto& key : keys(chunks_of(files, 2, ""))) fresh += before.contains(key) ? 0 : 1;
    EXPECT_LE(fresh, 2U);
    EXPECT_GE(fresh, 1U);
}

TEST(Chunks, the_key_follows_headers_and_base) {
    auto files = entities(1);
    files["e0.hpp"] = "#include \"deep.hpp\"\n";
    files["deep.hpp"] = "int x;\n";
    const auto before = keys(chunks_of(files, 1, "a"));
    files["deep.hpp"] = "int y;\n";
    EXPECT_NE(keys(chunks_of(files, 1, "a")), before);
    EXPECT_NE(keys(chunks_of(entities(1), 1, "a")), keys(chunks_of(entities(1), 1, "b")));
}

TEST(Chunks, the_key_follows_what_a_source_takes_in_as_it_is) {
    auto files = entities(1);
    files["page.cpp"] = "asm(R\"( .incbin \"page.json\" )\");\n";
    files["page.json"] = "{}";
    EXPECT_EQ(embedded_by(files, "page.cpp"), std::vector<std::string>{"page.json"});
    const auto before = keys(chunks_of(files, 1, "a"));
    files["page.json"] = "[]";
    EXPECT_NE(keys(chunks_of(files, 1, "a")), before);
}

}  // namespace
}  // namespace svc::build
