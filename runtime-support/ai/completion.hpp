// Reads the answers of a provider: whole completions, pieces of streamed ones, vectors.
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
// Nothing if it is not such an answer.
std::optional<Completion> read_completion(std::string_view body);

struct Chunk {
    std::string content;
    bool finished = false;  // the provider said why it ended
    bool failed = false;    // it says an error, or means nothing
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
// Nothing if there are not `count` lists of finite numbers, all of one length.
std::optional<Vectors> read_vectors(std::string_view body, std::size_t count);

}  // namespace svc::ai
