#include "file/s3/client.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <thread>
#include <vector>

#include "base/ascii.hpp"
#include "base/number.hpp"
#include "log/log.hpp"

namespace svc::file {
namespace {

// At least 5 MB by the rules of S3, which also allow 10,000 of them: 80 GB.
constexpr std::uint64_t kPartBytes = 8ULL * 1024 * 1024;
constexpr std::size_t kMostListed = std::size_t{4} << 20;  // bytes of an answer
constexpr int kTries = 3;
constexpr std::chrono::milliseconds kBetweenTries{200};
constexpr std::int64_t kRest = 2000, kMostForTries = 5000;  // ms
constexpr unsigned kGivingUp = 3;  // seconds: a server that ends waits for it, too
constexpr std::size_t kSlowest = std::size_t{200} * 1024;  // bytes a second

std::int64_t now_ms() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

// The text between <name> and </name>, from `at` on. S3 nests no element in one of the same name.
std::string element(std::string_view xml, std::string_view name, std::size_t at = 0) {
    const std::string open = "<" + std::string(name) + ">", close = "</" + std::string(name) + ">";
    const std::size_t begin = xml.find(open, at);
    if (begin == std::string_view::npos) return {};
    const std::size_t from = begin + open.size(), end = xml.find(close, from);
    return end == std::string_view::npos ? "" : std::string(xml.substr(from, end - from));
}

// A word of the store's own; what else stands in its answer may name the key and the request.
std::string code_of(const outgoing::Fetched& answer) {
    std::string code = element(answer.body, "Code");
    for (char& c : code)
        if (!base::is_alphanumeric(c)) c = '?';
    return code.substr(0, 60);
}

outgoing::Fetched need(outgoing::Fetched answer) {
    if (!answer.ok()) throw S3Failure(s3_failure(answer));
    return answer;
}

bool is_hiccup(const outgoing::Fetched& answer) {
    return answer.status == 0 || answer.status >= 500 || answer.status == 429;
}

}  // namespace

std::string s3_failure(const outgoing::Fetched& answer) {
    if (answer.status == 0)
        return answer.error.empty() ? "the store of files does not answer"
                                    : "the store of files does not answer: " + answer.error;
    const std::string code = code_of(answer);
    return "the store of files answered " + std::to_string(answer.status) +
           (code.empty() ? "" : " " + code);
}

outgoing::Fetched S3Client::ask(const Make& make) {
    const std::int64_t no_more = now_ms() + kMostForTries;
    for (int tries = 1;; ++tries) {
        outgoing::Fetched answer = ask_once(make());
        const bool again = is_hiccup(answer) && tries < kTries && now_ms() < no_more;
        if (!again && answer.status == 0) rests_until_ = now_ms() + kRest;
        if (!again) return answer;
        std::this_thread::sleep_for(kBetweenTries);
    }
}

outgoing::Fetched S3Client::ask_once(S3Request request) {
    if (stopped_) throw S3Failure("the server ends");
    if (now_ms() < rests_until_) throw S3Failure("the store of files did not answer");
    return send(std::move(request));
}

outgoing::Fetched S3Client::send(S3Request request) const {
    request.seconds += static_cast<unsigned>(request.body.size() / kSlowest);
    outgoing::Fetch call = signed_call(store_, std::move(request), std::time(nullptr));
    call.most_bytes = kMostListed;
    return outgoing::fetch(std::move(call));
}

void S3Client::put(const std::string& key, std::uint64_t size, const Read& read) {
    if (size > kPartBytes) return put_parts(key, size, read);
    need(ask([&] {
        return S3Request{.method = "PUT",
                         .key = key,
                         .headers = {{"content-type", "application/octet-stream"}},
                         .body = read(0, size)};
    }));
}

// Deletes an unfinished upload, because its parts would cost their owner as much as an object.
void S3Client::put_parts(const std::string& key, std::uint64_t size, const Read& read) {
    const auto begun = need(ask_once({.method = "POST", .key = key, .query = {{"uploads", ""}}}));
    const std::string upload = element(begun.body, "UploadId");
    if (upload.empty()) throw S3Failure("the store of files named no upload");
    try {
        finish(key, upload, send_parts(key, upload, size, read));
    } catch (const std::exception&) {
        try {
            need(send({.method = "DELETE",
                       .key = key,
                       .query = {{"uploadId", upload}},
                       .seconds = kGivingUp}));
        } catch (const std::exception& error) {
            log::write(log::Level::warning, "s3_upload_left", {{"what", error.what()}});
        }
        throw;
    }
}

// The list of parts, as finish() sends it.
std::string S3Client::send_parts(const std::string& key, const std::string& upload,
                                 std::uint64_t size, const Read& read) {
    std::string list;
    unsigned number = 0;
    for (std::uint64_t at = 0; at < size; at += kPartBytes) {
        const std::string name = std::to_string(++number);
        const auto most = static_cast<std::size_t>(std::min(kPartBytes, size - at));
        const auto sent = need(ask([&] {
            return S3Request{.method = "PUT",
                             .key = key,
                             .query = {{"partNumber", name}, {"uploadId", upload}},
                             .headers = {{"content-type", "application/octet-stream"}},
                             .body = read(at, most)};
        }));
        const std::string tag(sent.header("etag"));
        if (tag.empty() || tag.find_first_of("<>&") != std::string::npos)
            throw S3Failure("the store of files gave a part no tag");
        list += "<Part><PartNumber>" + name + "</PartNumber><ETag>" + tag + "</ETag></Part>";
    }
    return list;
}

// It may say 200 and tell a failure in its body.
void S3Client::finish(const std::string& key, const std::string& upload, std::string parts) {
    const auto done =
        need(ask_once({.method = "POST",
                       .key = key,
                       .query = {{"uploadId", upload}},
                       .headers = {{"content-type", "application/xml"}},
                       .body = "<CompleteMultipartUpload>" + parts + "</CompleteMultipartUpload>",
                       .seconds = 300}));
    if (done.body.find("<CompleteMultipartUploadResult") == std::string::npos)
        throw S3Failure("the store of files did not put an upload together: " + code_of(done));
}

void S3Client::remove(const std::string& key) {
    const auto answer = ask([&] { return S3Request{.method = "DELETE", .key = key}; });
    if (!answer.ok() && answer.status != 404) throw S3Failure(s3_failure(answer));
}

// Continues after the last key, which every store supports; tokens differ between stores.
void S3Client::each(const std::string& prefix, const Visit& visit) {
    for (std::string last;;) {
        Pairs query{{"list-type", "2"}, {"prefix", prefix}};
        if (!last.empty()) query.emplace_back("start-after", last);
        const auto page = need(ask([&] { return S3Request{.query = query}; }));
        const std::string before = last;
        for (std::size_t at = page.body.find("<Contents>"); at != std::string::npos;
             at = page.body.find("<Contents>", at + 1)) {
            last = element(page.body, "Key", at);
            const auto bytes = base::number_of<std::uint64_t>(element(page.body, "Size", at));
            if (last.starts_with(prefix)) visit(last, bytes);
        }
        if (element(page.body, "IsTruncated") != "true") return;
        if (last <= before) throw S3Failure("the store of files lists the same keys again");
    }
}

outgoing::Fetch S3Client::reading(const std::string& key, std::uint64_t from,
                                  std::uint64_t length) const {
    const std::string range =
        "bytes=" + std::to_string(from) + "-" + std::to_string(from + length - 1);
    return signed_call(store_, {.key = key, .headers = {{"range", range}}, .seconds = 0},
                       std::time(nullptr));
}

}  // namespace svc::file
