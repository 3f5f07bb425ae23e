#include "file/routes.hpp"

#include "file/tus/tus.hpp"

namespace svc::file {
namespace {

constexpr std::string_view kUploadParams[] = {"fileId", "sig", "mime", "form"};
constexpr std::string_view kDownloadParams[] = {"ticket", "download", "env"};

}  // namespace

std::vector<route::Endpoint> routes(const FileContext& in) {
    const auto read = [&in](route::Request& request) { return download(in, request); };
    const auto protocol = [&in](http::Reply& reply) { write_protocol(reply, in.app.files); };
    return {{.method = Method::post,
             .path = "/files/sign",
             .entry = route::Entry::key,
             .handler = as_caller(in, sign)},
            {.method = Method::post,
             .path = "/files/direct",
             .entry = route::Entry::key,
             .handler = as_caller(in, upload),
             .params = kUploadParams,
             .body_limit = static_cast<std::size_t>(in.app.files.max_size),
             .streams = true},
            {.method = Method::post,
             .path = "/files/tus",
             .entry = route::Entry::key,
             .handler = as_caller(in, begin_resumable),
             .options = protocol},
            {.method = Method::get,
             .path = "/files/tus/<id>",
             .entry = route::Entry::key,
             .handler = as_caller(in, show_resumable),
             .options = protocol},
            {.method = Method::patch,
             .path = "/files/tus/<id>",
             .entry = route::Entry::key,
             .handler = as_caller(in, append_resumable),
             .body_limit = static_cast<std::size_t>(in.app.files.max_size),
             .streams = true},
            {.method = Method::post,
             .path = "/files/tus/<id>",
             .entry = route::Entry::key,
             .handler = as_caller(in, override_resumable),
             .body_limit = static_cast<std::size_t>(in.app.files.max_size),
             .streams = true},
            {.method = Method::remove,
             .path = "/files/tus/<id>",
             .entry = route::Entry::key,
             .handler = as_caller(in, end_resumable)},
            {.method = Method::get,
             .path = "/files/<id>",
             .entry = route::Entry::open,
             .handler = read,
             .params = kDownloadParams},
            {.method = Method::remove,
             .path = "/files/<id>",
             .entry = route::Entry::key,
             .handler = as_caller(in, remove)}};
}

}  // namespace svc::file
