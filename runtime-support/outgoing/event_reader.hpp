// Server-sent events that another server sends, read piece by piece. Source: the HTML standard,
// "Server-sent events".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace svc::outgoing {

class EventReader {
  public:
    // Adds the data of each complete event. Ignores comments, names and ids. Returns false if an
    // event is longer than a megabyte; the rest must then be ignored.
    bool feed(std::string_view bytes, std::vector<std::string>& events);

  private:
    static constexpr std::size_t kMost = std::size_t{1} << 20;

    void take_line(std::vector<std::string>& events);

    std::string line_, data_;
    bool has_data_ = false, after_return_ = false, begun_ = false;
};

}  // namespace svc::outgoing
