// Headers of the routes of files: ranges, and metadata of resumable uploads.
#include <gtest/gtest.h>

#include "file/range.hpp"
#include "file/tus/upload_metadata.hpp"

namespace svc::file {
namespace {

using Kind = Range::Kind;

std::string described(std::string_view header, std::uint64_t size) {
    const Range range = range_of(header, size);
    const std::string bytes = std::to_string(range.from) + "+" + std::to_string(range.length);
    return (range.kind == Kind::whole  ? "whole "
            : range.kind == Kind::part ? "part "
                                       : "outside ") +
           bytes;
}

TEST(FileRange, IsOneOfTheFile) {
    EXPECT_EQ(described("bytes=0-9", 100), "part 0+10");
    EXPECT_EQ(described("bytes=90-", 100), "part 90+10");
    EXPECT_EQ(described("bytes=-7", 100), "part 93+7");
    EXPECT_EQ(described("bytes=-700", 100), "part 0+100");
    EXPECT_EQ(described("bytes=100-", 100), "outside 0+0");
    EXPECT_EQ(described("bytes=-0", 100), "outside 100+0");
    for (const char* none : {"", "bytes=", "bytes=9-3", "bytes=1-2,4-5", "lines=1-2", "bytes=x-",
                             "bytes= 1-2", "bytes=+1-2", "bytes=99999999999999999999-"})
        EXPECT_EQ(described(none, 100), "whole 0+100") << none;
}

TEST(FileRange, MayEndWhereNumbersEnd) {
    EXPECT_EQ(described("bytes=5-18446744073709551615", 100), "part 5+95");
    EXPECT_EQ(described("bytes=5-18446744073709551614", 100), "part 5+95");
    EXPECT_EQ(described("bytes=-18446744073709551615", 100), "part 0+100");
}

TEST(UploadMetadata, IsFoundByItsName) {
    const std::string_view line = "filetype aW1hZ2UvcG5n,  filename  d29ybGQ= ,empty,bad !!";
    EXPECT_EQ(upload_metadata(line, "filename"), "world");
    EXPECT_EQ(upload_metadata(line, "filetype"), "image/png");
    for (const char* none : {"empty", "bad", "file", ""})
        EXPECT_EQ(upload_metadata(line, none), "") << none;
}

TEST(UploadMetadata, IsToldAgainAsItWasSent) {
    const std::string line = "filename d29ybGQ=,filetype aW1hZ2UvcG5n, done";
    EXPECT_EQ(kept_metadata(line), line);
    for (const char* odd : {"", "name \xff", "name a\tb", "n\xc3\xa4me YQ=="})
        EXPECT_EQ(kept_metadata(odd), "") << odd;
}

}  // namespace
}  // namespace svc::file
