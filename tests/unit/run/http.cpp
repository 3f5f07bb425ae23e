// The request of an http step, and how it reads the answer.
#include <gtest/gtest.h>

#include <algorithm>

#include "outgoing/retry_after.hpp"
#include "run/call/http_step.hpp"
#include "run/call/mask.hpp"
#include "run/route/run_body.hpp"

namespace svc::run {
namespace {

ServiceCall asked(const std::string& request, const std::string& accept = "[]") {
    const std::string text =
        R"({"path":"call","kind":"http","idempotencyKey":"run/call","attempt":1,"request":)" +
        request + R"(,"accept":)" + accept + "}";
    return read_call(json::parse(text).value);
}

bool has_line(const Prepared& prepared, const std::string& line) {
    const auto& lines = prepared.fetch.headers;
    return std::ranges::find(lines, line) != lines.end();
}

TEST(HttpStep, SendsWhatIsAskedWithItsKey) {
    const Prepared sent = prepare(asked(
        R"({"method":"POST","url":"https://a.test/x","headers":{"X-A":"1"},"body":{"n":1.50}})"));
    EXPECT_FALSE(sent.refused);
    EXPECT_EQ(sent.fetch.method, "POST");
    EXPECT_EQ(sent.fetch.url, "https://a.test/x");
    EXPECT_EQ(sent.fetch.body, R"({"n":1.50})");
    EXPECT_EQ(sent.fetch.seconds, 30U);
    EXPECT_TRUE(has_line(sent, "X-A: 1"));
    EXPECT_TRUE(has_line(sent, "Idempotency-Key: run/call"));
    EXPECT_TRUE(has_line(sent, "Content-Type: application/json"));
}

TEST(HttpStep, ATextIsSentAsItIs) {
    const Prepared plain =
        prepare(asked(R"({"method":"POST","url":"https://a.test","body":"a=1&b=2"})"));
    EXPECT_EQ(plain.fetch.body, "a=1&b=2");
    EXPECT_TRUE(has_line(plain, "Content-Type: text/plain; charset=utf-8"));
    const Prepared form = prepare(asked(
        R"({"url":"https://a.test","body":"a=1","headers":{"content-type":"application/x-www-form-urlencoded"}})"));
    EXPECT_FALSE(has_line(form, "Content-Type: text/plain; charset=utf-8"));
    EXPECT_EQ(prepare(asked(R"({"url":"https://a.test","body":null})")).fetch.body, "");
}

// Why a request is not sent; empty: it is.
std::string code_of(const char* request) {
    return prepare(asked(request)).refused.value_or(ServiceResult()).code;
}

TEST(HttpStep, AValueStaysInItsPlace) {
    const char* refused[][2] = {
        {R"({"url":"https://a.test","headers":{"X-A":"1\r\nX-B: 2"}})", "HEADER_REFUSED"},
        {R"({"url":"https://a.test","headers":{"X-A: 1\r\nX-B":"2"}})", "HEADER_REFUSED"},
        {R"({"url":"https://a.test","headers":{"Host":"b.test"}})", "HEADER_REFUSED"},
        {R"({"url":"https://a.test","headers":{"Content-Length":"1"}})", "HEADER_REFUSED"},
        {R"({"url":"https://a.test","headers":{"Transfer-Encoding":"chunked"}})", "HEADER_REFUSED"},
        {R"({"url":"https://a.test","method":"GET / HTTP/1.1"})", "METHOD_REFUSED"},
        {R"({"url":"http://a.test"})", "URL_REFUSED"},
        {R"({"url":"file:///etc/passwd"})", "URL_REFUSED"},
        {R"({"url":""})", "URL_REFUSED"},
    };
    for (const auto& [request, code] : refused) EXPECT_EQ(code_of(request), code) << request;
    EXPECT_EQ(code_of(R"({"url":"http://localhost:1"})"), "");
}

TEST(HttpStep, TheKeyIsTheStepsOwn) {
    const Prepared sent = prepare(
        asked(R"({"url":"https://a.test","headers":{"idempotency-key":"mine","X-Empty":""}})"));
    EXPECT_TRUE(has_line(sent, "Idempotency-Key: run/call"));
    EXPECT_FALSE(has_line(sent, "idempotency-key: mine"));
    EXPECT_TRUE(has_line(sent, "X-Empty;"));
}

outgoing::Fetched answer(int status, std::string body, std::string type = "application/json") {
    outgoing::Fetched out;
    out.status = status;
    out.body = std::move(body);
    out.headers = {{"content-type", std::move(type)}};
    return out;
}

TEST(HttpStep, GivesTheAnswer) {
    const ServiceResult json = read_answer(asked("{}"), answer(200, R"({"a":[1]})"), {});
    EXPECT_EQ(json.output,
              R"({"status":200,"headers":{"content-type":"application/json"},"body":{"a":[1]}})");
    const ServiceResult text = read_answer(asked("{}"), answer(200, "{a", "application/json"), {});
    EXPECT_NE(text.output.find(R"("body":"{a")"), std::string::npos);
    const ServiceResult zero =
        read_answer(asked("{}"), answer(200, std::string("a\0b", 3), "text/plain"), {});
    EXPECT_NE(zero.output.find(R"("body":"ab")"), std::string::npos);
    const ServiceResult huge = read_answer(asked("{}"), answer(200, "1e99999"), {});
    EXPECT_NE(huge.output.find(R"("body":"1e99999")"), std::string::npos);
    EXPECT_EQ(result_of("call", json), R"({"ok":true,"path":"call","output":)" + json.output + "}");
}

TEST(HttpStep, FailsFromFourHundredOn) {
    const ServiceResult missing = read_answer(asked("{}"), answer(404, "no"), {});
    EXPECT_EQ(missing.code, "HTTP_404");
    EXPECT_FALSE(missing.retryable);
    EXPECT_EQ(read_answer(asked("{}", "[404]"), answer(404, "1"), {}).error, "");
    for (const int status : {408, 425, 429, 500, 503, 599})
        EXPECT_TRUE(read_answer(asked("{}"), answer(status, ""), {}).retryable) << status;
    outgoing::Fetched busy = answer(503, "");
    busy.headers.emplace_back("retry-after", "7");
    EXPECT_EQ(read_answer(asked("{}"), busy, {}).retry_after, 7);
    EXPECT_EQ(
        result_of("a.b", read_answer(asked("{}"), busy, {})),
        R"({"ok":false,"path":"a.b","error":"The answer had status 503.","code":"HTTP_503","retryable":true,"retryAfter":7})");
}

TEST(HttpStep, NoAnswerIsTriedAgainUnlessItIsRefused) {
    outgoing::Fetched none;
    none.error = "Timeout was reached";
    EXPECT_TRUE(read_answer(asked("{}"), none, {}).retryable);
    none.for_good = true;
    EXPECT_FALSE(read_answer(asked("{}"), none, {}).retryable);
}

TEST(HttpStep, SecretsAreNotRecorded) {
    const std::vector<std::string> secrets = {"s3cr\"et", "tok"};
    EXPECT_EQ(masked(R"(a s3cr"et b "s3cr\"et" tok)", secrets), R"(a *** b "***" tok)");
    outgoing::Fetched echo = answer(200, R"({"sent":"Bearer hunter22"})");
    echo.headers.emplace_back("x-echo", "hunter22");
    const ServiceResult came = read_answer(asked("{}"), echo, {"hunter22"});
    EXPECT_EQ(came.output.find("hunter22"), std::string::npos);
    EXPECT_NE(came.output.find(R"("body":{"sent":"Bearer ***"})"), std::string::npos);
    EXPECT_EQ(read_answer(asked("{}"), answer(400, "hunter22"), {"hunter22"}).error,
              "The answer had status 400: ***");
}

TEST(RetryAfter, ReadsSecondsAndDates) {
    using outgoing::retry_after;
    EXPECT_EQ(retry_after("120", 0), 120);
    EXPECT_EQ(retry_after("99999999999", 0), 86400);
    EXPECT_EQ(retry_after("Sun, 06 Nov 1994 08:49:37 GMT", 784111777 - 30), 30);
    EXPECT_EQ(retry_after("Sun, 06 Nov 1994 08:49:37 GMT", 784111777 + 30), 0);
    for (const char* no :
         {"", "soon", "-1", "1.5", "Sun, 06 Nov 1994", "Sun, 36 Nov 1994 08:49:37 GMT"})
        EXPECT_FALSE(retry_after(no, 0)) << no;
}

TEST(RunBody, HoldsHowARunBegins) {
    EXPECT_EQ(read_start("")->input, "{}");
    EXPECT_EQ(read_start(R"({"input":{"a":1.0}})")->input, R"({"a":1.0})");
    const auto body =
        read_start(R"({"row":"0188c2f0-0000-7000-8000-000000000001","old":{"stock":7}})");
    EXPECT_EQ(*body->row, "0188c2f0-0000-7000-8000-000000000001");
    EXPECT_EQ(*body->old, R"({"stock":7})");
    for (const char* wrong : {"[]", "{", R"({"input":1})", R"({"other":{}})",
                              R"({"input":{"a":1e9999}})", R"({"row":"seven"})", R"({"old":1})"})
        EXPECT_FALSE(read_start(wrong)) << wrong;
}

TEST(RunBody, NamesIdsOrNone) {
    EXPECT_EQ(*read_ids(" "), std::nullopt);
    EXPECT_EQ(**read_ids(R"({"ids":[]})"), "{}");
    for (const char* wrong : {R"({"ids":1})", R"({"ids":["x"]})", R"({"ids":[1]})"})
        EXPECT_FALSE(read_ids(wrong)) << wrong;
}

}  // namespace
}  // namespace svc::run
