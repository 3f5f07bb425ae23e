#include "file/byte_store.hpp"

#include "file/s3/store.hpp"

namespace svc::file {

std::string store_prefix(std::string_view project, Env env) {
    std::string out(project.empty() ? "app" : project);
    return out.append("/").append(base::word(env)).append("/");
}

std::unique_ptr<ByteStore> make_store(const std::string& root, const std::string& prefix) {
    auto s3 = read_s3_settings();
    if (!s3) return make_disk_store(root);
    return std::make_unique<S3Store>(std::move(*s3), root, prefix);
}

}  // namespace svc::file
