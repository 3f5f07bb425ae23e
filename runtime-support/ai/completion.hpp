// Reads the answers of a provider: complete completions, parts of streamed completions, and
// vectors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace svc::ai {

struct Usage {
    std::int64_t prompt = 0, completion = 0;  // tokens
    bool estimated = false;
};

struct Completion {
    std::string content;
    std::optional<Usage> usage;
};
// Returns nothing if the text is not such an answer.
std::optional<Completion> read_completion(std::string_view body);

struct Chunk {
    std::string content;
    bool finished = false;  // the provider said why it ended
    bool failed = false;    // it reports an error, or cannot be read
    std::string code;       // of the error, if it has one
    std::optional<Usage> usage;
};
Chunk read_chunk(std::string_view data);

struct Vectors {
    std::vector<std::string> each;  // JSON lists of numbers
    std::size_t dimensions = 0;
    std::string model;
    std::optional<Usage> usage;
};
// Returns nothing unless there are `count` lists of finite numbers of the same length.
std::optional<Vectors> read_vectors(std::string_view body, std::size_t count);

}  // namespace svc::ai
