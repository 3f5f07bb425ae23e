// Bytes of a resumable upload on their way to the disk.
#include <gtest/gtest.h>

#include <string>

#include "file/tus/batch.hpp"

namespace svc::file {
namespace {

TEST(Batch, TakesBytesWhereTheyWereRead) {
    Batch batch;
    std::string_view elsewhere = "elsewhere";
    batch.take(elsewhere);
    EXPECT_TRUE(elsewhere.empty());
    std::ranges::copy(std::string_view(", here"), batch.room().begin());
    std::string_view here(batch.room().data(), 6);
    batch.take(here);
    EXPECT_EQ(batch.bytes(), "elsewhere, here");
    EXPECT_EQ(batch.room().size(), kBatch - 15);
    batch.clear();
    EXPECT_TRUE(batch.bytes().empty());
    EXPECT_EQ(batch.room().size(), kBatch);
}

TEST(Batch, TakesNoMoreThanFits) {
    const std::string many(kBatch + 5, 'a');
    Batch batch;
    std::string_view left = many;
    batch.take(left);
    EXPECT_EQ(left.size(), 5U);
    EXPECT_TRUE(batch.room().empty());
    batch.take(left);
    EXPECT_EQ(left.size(), 5U);
    EXPECT_EQ(batch.bytes(), std::string_view(many).substr(0, kBatch));
}

}  // namespace
}  // namespace svc::file
