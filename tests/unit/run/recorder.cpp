// The recorder replaces other services: it records the call of a step and gives the step a result.
#include "run/call/recorder.hpp"

#include <gtest/gtest.h>

namespace svc::run {
namespace {

ServiceCall step_of(const std::string& kind, const std::string& request) {
    return read_call(json::parse(R"({"path":"call","kind":")" + kind +
                                 R"(","idempotencyKey":"run/call","attempt":1,"request":)" +
                                 request + "}")
                         .value);
}

TEST(Recorder, NamesMethodHostAndPathAlone) {
    for (const auto& [request, target] : {
             std::pair(R"({"method":"POST","url":"https://a.test/x/y?key=secret#z"})",
                       "POST a.test/x/y"),
             std::pair(R"({"url":"https://me:secret@a.test:8443"})", "GET a.test:8443"),
             std::pair(R"({"url":"https://a.test/@b"})", "GET a.test/@b"),
             std::pair(R"({"url":"https://a.test?to=b@c"})", "GET a.test"),
         })
        EXPECT_EQ(target_of(step_of("http", request)), target) << request;
    EXPECT_EQ(target_of(step_of("ai", R"({"prompt":"a"})")), "");
}

TEST(Recorder, AnswersAsIfItHadGoneWell) {
    const ServiceResult called = stand_in(step_of("http", R"({"url":"https://a.test"})"));
    EXPECT_EQ(called.error, "");
    EXPECT_EQ(called.output, R"({"status":200,"headers":{},"body":null})");
    EXPECT_EQ(stand_in(step_of("embed", "{}")).output, R"({"vectors":[]})");
}

TEST(Recorder, RefusesWhatWouldBeRefused) {
    EXPECT_EQ(stand_in(step_of("http", R"({"url":"http://a.test"})")).code, "URL_REFUSED");
}

TEST(Recorder, IsThereForEachKind) {
    Recorder recorder;
    const Services services = recorded(recorder);
    for (const std::string_view kind : base::Words<ServiceKind>::kAll)
        EXPECT_TRUE(services.contains(*base::read_word<ServiceKind>(kind))) << kind;
}

}  // namespace
}  // namespace svc::run
