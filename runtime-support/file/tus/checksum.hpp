// The header Upload-Checksum of a resumable upload: "sha1 <base64>" or "sha256 <base64>".
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace svc::file {

class Checksum {
  public:
    static constexpr std::string_view kAlgorithms = "sha1,sha256";

    // Nothing if the header is malformed, or names another algorithm.
    static std::optional<Checksum> read(std::string_view header);

    void add(std::string_view bytes);
    bool matches();  // what was added; once

  private:
    struct Free {
        void operator()(void* context) const;
    };
    Checksum(const char* algorithm, std::string wanted);

    std::string wanted_;
    std::unique_ptr<void, Free> context_;
};

}  // namespace svc::file
