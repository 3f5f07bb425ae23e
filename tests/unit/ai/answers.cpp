// Reads answers of model providers: events in pieces, completions, vectors; and estimates of
// tokens.
#include <gtest/gtest.h>

#include "ai/completion.hpp"
#include "ai/tokens.hpp"
#include "outgoing/event_reader.hpp"

namespace svc::ai {
namespace {

using Texts = std::vector<std::string>;

Texts events_of(const std::string& text, std::size_t piece) {
    outgoing::EventReader reader;
    Texts out;
    for (std::size_t at = 0; at < text.size(); at += piece)
        EXPECT_TRUE(reader.feed(std::string_view(text).substr(at, piece), out));
    return out;
}

TEST(EventReader, ReadsEventsHoweverTheyAreCut) {
    const std::string text =
        "\xEF\xBB\xBF"
        "data: one\n\n: comment\nevent: x\nid: 5\ndata:two\rdata:  three\r\n\r\ndata\n\n"
        "retry: 1\n\ndatax: no\n\ndata: cut";
    const Texts wanted = {"one", "two\n three", ""};
    for (std::size_t piece = 1; piece <= text.size(); ++piece)
        EXPECT_EQ(events_of(text, piece), wanted) << piece;
}

TEST(EventReader, EndsWithAnEventThatIsTooLong) {
    outgoing::EventReader reader;
    Texts out;
    bool fits = true;
    for (int i = 0; i < 20 && fits; ++i)
        fits = reader.feed("data: " + std::string(100'000, 'x') + "\n", out);
    EXPECT_FALSE(fits);
    EXPECT_TRUE(out.empty());
}

TEST(Completion, IsReadWithItsUsage) {
    const auto read = read_completion(
        R"({"choices":[{"message":{"content":"Hi \u00e9"}}],"usage":{"prompt_tokens":3,"completion_tokens":4}})");
    ASSERT_TRUE(read);
    EXPECT_EQ(read->content, "Hi \xC3\xA9");
    ASSERT_TRUE(read->usage);
    EXPECT_EQ(read->usage->prompt, 3);
    EXPECT_EQ(read->usage->completion, 4);
}

TEST(Completion, BelievesNoUsageThatCannotBe) {
    for (const char* tokens : {"-1", "1.5", "1e30", "\"5\"", "null", "99999999999999"}) {
        const auto read = read_completion(
            R"({"choices":[{"message":{"content":"x"}}],"usage":{"prompt_tokens":)" +
            std::string(tokens) + "}}");
        ASSERT_TRUE(read) << tokens;
        EXPECT_FALSE(read->usage) << tokens;
    }
    for (const char* bad : {"", "[]", "{}", R"({"choices":[]})", R"({"choices":[{}]})", "<html>"})
        EXPECT_FALSE(read_completion(bad)) << bad;
}

TEST(Chunk, IsTextUsageOrAnError) {
    EXPECT_EQ(read_chunk(R"({"choices":[{"delta":{"content":"a"}}]})").content, "a");
    EXPECT_FALSE(
        read_chunk(R"({"choices":[{"delta":{"content":"a"},"finish_reason":null}]})").finished);
    EXPECT_TRUE(read_chunk(R"({"choices":[{"delta":{},"finish_reason":"stop"}]})").finished);
    EXPECT_EQ(read_chunk(R"({"choices":[],"usage":{"prompt_tokens":2}})").usage->prompt, 2);
    EXPECT_TRUE(read_chunk(R"({"error":{"code":"overloaded"}})").failed);
    EXPECT_TRUE(read_chunk("nonsense").failed);
    EXPECT_TRUE(read_chunk("[]").failed);
}

TEST(Vectors, ComeInTheOrderOfTheirIndexes) {
    const auto read = read_vectors(
        R"({"data":[{"index":1,"embedding":[ 3 , -4.5e1]},{"embedding":[1,2],"index":0}],"model":"m","usage":{"prompt_tokens":9}})",
        2);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->each, (Texts{"[1,2]", "[3,-4.5e1]"}));
    EXPECT_EQ(read->dimensions, 2u);
    EXPECT_EQ(read->model, "m");
    EXPECT_EQ(read->usage->prompt, 9);
}

TEST(Vectors, AreListsOfNumbersOfOneLength) {
    for (const char* data :
         {R"([{"embedding":[1]}])", R"([{"embedding":[1]},{"embedding":[1,2]}])",
          R"([{"embedding":["1"]},{"embedding":["1"]}])", R"([{"embedding":[]},{"embedding":[]}])",
          R"([{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}])",
          R"([{"index":0,"embedding":[1]},{"index":7,"embedding":[1]}])", "{}", "[", "[1,2]",
          R"([{"embedding":[1e999]},{"embedding":[1]}])"})
        EXPECT_FALSE(read_vectors(R"({"data":)" + std::string(data) + "}", 2)) << data;
}

TEST(TokenEstimate, IsTheSameOfPieces) {
    const std::string text =
        "Gr\xC3\xBC\xC3\x9F"
        "e and more words";
    TokenEstimate whole, pieces;
    whole.add(text);
    for (const char c : text) pieces.add(std::string_view(&c, 1));
    EXPECT_EQ(whole.tokens(), pieces.tokens());
    EXPECT_EQ(whole.tokens(), 2 + 5);
    EXPECT_EQ(TokenEstimate().tokens(), 0);
}

}  // namespace
}  // namespace svc::ai
