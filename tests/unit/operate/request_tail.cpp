// Requests that an app answered and its calls of connectors, in one list.
#include "operate/tail/request_tail.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>

#include "unit/app_database.hpp"

namespace svc::devapi {
namespace {

constexpr std::int64_t kSecond = 1'000'000;

class FollowedRequests : public testing::Test {
  protected:
    void SetUp() override {
        if (!test::server_url()) GTEST_SKIP() << "SVC_TEST_DATABASE_URL is not set";
        database_ = std::make_unique<test::AppDatabase>();
    }
    ~FollowedRequests() override { std::filesystem::remove(file_); }

    void request(const char* path, std::int64_t at) {
        ops::RequestRing(file_).add("GET", path, 200, begin_ + at * kSecond);
    }
    void call(const char* target, std::int64_t at) {
        database_->sql(
            "insert into svc.connector_call (source, kind, target, status, http, ms, created_at) "
            "values ('workflow', 'action', '" +
            std::string(target) + "', 'done', 200, 12, 'epoch'::timestamptz + " +
            std::to_string(begin_ + at * kSecond) + " * interval '1 microsecond')");
    }
    // The names that the lines have, one after the other.
    static std::string names(const TailLines& lines) {
        std::string out;
        for (const TailLine& line : lines)
            for (const char* name : {"one", "two", "three", "four"})
                if (line.text.find(std::string("/") + name) != std::string::npos)
                    out += out.empty() ? name : std::string(" ") + name;
        return out;
    }
    RequestTail tail() const { return {file_, database_->url(), 0}; }

    const std::string file_ =
        std::filesystem::temp_directory_path() / ("svc_request_tail_" + std::to_string(::getpid()));
    const std::int64_t begin_ = ops::RequestRing::now() - 60 * kSecond;
    std::unique_ptr<test::AppDatabase> database_;
};

TEST_F(FollowedRequests, CallsOfConnectorsStandAmongThem) {
    call("good/one", 1);
    request("/two", 2);
    call("good/four", 4);
    RequestTail tail = this->tail();
    const TailLines lines = tail.first(10);
    EXPECT_EQ(names(lines), "one two four");
    EXPECT_NE(lines.at(0).text.find("workflow"), std::string::npos) << lines[0].text;
    EXPECT_TRUE(tail.next().empty());
    // It was written before the last one, and is there after it.
    call("good/three", 3);
    EXPECT_EQ(names(tail.next()), "three");
    EXPECT_TRUE(tail.next().empty());
    const auto place = read_tail_place("requests", lines[0].place);
    ASSERT_TRUE(place.has_value());
    RequestTail later(file_, database_->url(), *place);
    EXPECT_EQ(names(later.next()), "two three four");
}

TEST_F(FollowedRequests, OfThoseBeforeOnlyTheNewestThatWereAskedForCome) {
    call("good/one", 1);
    call("good/two", 2);
    RequestTail tail = this->tail();
    EXPECT_EQ(names(tail.first(1)), "two");
    EXPECT_TRUE(tail.next().empty());
    request("/three", 3);
    EXPECT_EQ(names(tail.next()), "three");
}

// As svcd gave them before it knew of calls.
TEST_F(FollowedRequests, APlaceWithoutATimeMeansCallsFromNowOn) {
    call("good/one", 1);
    request("/two", 2);
    RequestTail tail(file_, database_->url(), TailPlace{{}, "0"});
    EXPECT_EQ(names(tail.next()), "two");
}

TEST_F(FollowedRequests, TheyComeAlsoWhileTheDatabaseIsAway) {
    request("/one", 1);
    RequestTail tail(file_, "host=/nowhere", 0);
    EXPECT_EQ(names(tail.first(10)), "one");
}

}  // namespace
}  // namespace svc::devapi
