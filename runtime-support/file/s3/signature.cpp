#include "file/s3/signature.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/hex.hpp"
#include "base/percent.hpp"
#include "base/sha256.hpp"
#include "base/time/utc.hpp"
#include "base/url_host.hpp"

namespace svc::file {
namespace {

constexpr std::string_view kAlgorithm = "AWS4-HMAC-SHA256";

std::string hex_of(const base::Digest& digest) { return base::hex(base::bytes_of(digest)); }

std::string query_of(const Pairs& query) {
    std::string out;
    for (const auto& [name, value] : query)
        out += (out.empty() ? "" : "&") + base::percent_encoded(name) + "=" +
               base::percent_encoded(value);
    return out;
}

std::string names_of(const Pairs& headers) {
    std::string out;
    for (const auto& [name, value] : headers) out += (out.empty() ? "" : ";") + name;
    return out;
}

// The signed text of a request, line by line. It contains all headers that are sent.
std::string canonical(const std::string& path, const S3Request& request, const std::string& hash) {
    std::string out = request.method + "\n" + path + "\n" + query_of(request.query) + "\n";
    for (const auto& [name, value] : request.headers)
        out += name + ":" + std::string(base::trim(value)) + "\n";
    return out + "\n" + names_of(request.headers) + "\n" + hash;
}

std::string authorization(const S3Settings& store, const S3Request& request,
                          const std::string& path, const std::string& hash,
                          const std::string& time) {
    const std::string day = time.substr(0, 8);
    const std::string scope = day + "/" + store.region + "/s3/aws4_request";
    const std::string text = std::string(kAlgorithm) + "\n" + time + "\n" + scope + "\n" +
                             base::sha256_hex(canonical(path, request, hash));
    base::Digest key = base::hmac_sha256("AWS4" + store.secret_key, {day});
    for (const std::string_view step : {std::string_view(store.region), std::string_view("s3"),
                                        std::string_view("aws4_request"), std::string_view(text)})
        key = base::hmac_sha256(base::bytes_of(key), {step});
    return std::string(kAlgorithm) + " Credential=" + store.access_key + "/" + scope +
           ",SignedHeaders=" + names_of(request.headers) + ",Signature=" + hex_of(key);
}

}  // namespace

outgoing::Fetch signed_call(const S3Settings& store, S3Request request, std::time_t now) {
    const std::string hash = base::sha256_hex(request.body), time = base::utc_compact(now);
    const std::string path = store.path(request.key);
    request.headers.emplace_back("host", store.host());
    request.headers.emplace_back("x-amz-content-sha256", hash);
    request.headers.emplace_back("x-amz-date", time);
    std::ranges::sort(request.headers);
    outgoing::Fetch out;
    for (const auto& [name, value] : request.headers) out.headers.push_back(name + ": " + value);
    out.headers.push_back("authorization: " + authorization(store, request, path, hash, time));
    out.headers.emplace_back("expect:");  // or libcurl asks before it sends a body
    if (request.method == "POST" && request.body.empty())
        out.headers.emplace_back("content-length: 0");
    const std::string query = query_of(request.query);
    out.url = store.origin() + path + (query.empty() ? "" : "?" + query);
    out.method = std::move(request.method);
    out.body = std::move(request.body);
    out.allowed = {base::host_of(out.url)};
    out.plain = store.endpoint.starts_with("http://");
    out.seconds = request.seconds;
    return out;
}

}  // namespace svc::file
