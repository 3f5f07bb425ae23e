// multipart/form-data (RFC 7578), parsed as it arrives. It buffers at most a part of one delimiter
// and the headers of one part.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace svc::file {

// The boundary in a Content-Type of multipart/form-data; nothing if it is another type, or if RFC
// 2046 does not allow the boundary.
std::optional<std::string> boundary_of(std::string_view content_type);

class Multipart {
  public:
    static constexpr std::size_t kMostHeaders = 8 * 1024;  // bytes of one part's
    static constexpr std::size_t kMostParts = 32;
    static constexpr std::size_t kMostAround = 4 * 1024;  // bytes before the first part

    explicit Multipart(std::string_view boundary, std::size_t most_parts = kMostParts);

    enum class Event {
        more,       // all bytes are used up
        begin,      // a part: its headers can be asked for
        data,       // bytes of the part
        end,        // of the part
        whole,      // the last delimiter was read; what follows is dropped
        malformed,  // it does not follow RFC 7578
        too_large   // one of the bounds above
    };
    // Takes what it can from the front of `bytes`. `data` is a view into `bytes` or the parser,
    // valid until the next call.
    Event next(std::string_view& bytes, std::string_view& data);

    // These describe the current part.
    const std::string& name() const { return name_; }
    const std::string& file_name() const { return file_name_; }
    const std::string& type() const { return type_; }  // empty: none was sent

  private:
    enum class State { preamble, body, delimited, dashed, closing, headers, done };

    Event search(std::string_view& bytes, std::string_view& data);
    Event found();
    Event behind_delimiter(char c);
    Event read_header(char c);
    bool take_headers();
    bool take_disposition(std::string_view value);

    const std::string delimiter_;  // CR LF -- boundary
    const std::size_t most_parts_;
    State state_ = State::preamble;
    std::size_t matched_ = 2;  // of the delimiter: the first may stand at the very beginning
    std::size_t around_ = 0, parts_ = 0;
    std::string headers_;
    std::string name_, file_name_, type_;
    bool named_ = false;
};

}  // namespace svc::file
