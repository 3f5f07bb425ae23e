// The last requests of an app's servers, in a file that the servers map and svcd reads for
// developers. Method, path, status and time; never a query string, a header or a body.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace svc::ops {

struct SeenRequest {
    std::uint64_t number = 0;  // counts up from 1
    std::int64_t at = 0;       // microseconds since 1970
    std::uint32_t took = 0;    // microseconds
    std::uint16_t status = 0;
    std::string method, path;
};

// The writing end. Safe for all threads, and for several processes on the same file: during a swap
// the old and the new server write.
class RequestRing {
  public:
    // Stores nothing if `path` is empty, or if the file cannot be opened or does not fit on the
    // disk.
    explicit RequestRing(const std::string& path);
    ~RequestRing();
    RequestRing(const RequestRing&) = delete;
    RequestRing& operator=(const RequestRing&) = delete;

    void add(std::string_view method, std::string_view path, int status, std::int64_t began_at);
    static std::int64_t now();  // microseconds since 1970

  private:
    void* map_ = nullptr;
};

// The requests whose number is greater than `after`, oldest first, at most the newest `limit`. Does
// not trust the file. Empty if there is no such file.
std::vector<SeenRequest> read_requests(const std::string& path, std::uint64_t after,
                                       std::size_t limit);

}  // namespace svc::ops
