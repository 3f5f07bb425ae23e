// What an app's servers leave in files: the requests that they answered, and the errors and
// warnings of their log.
#pragma once

#include <cstdint>
#include <string>

#include "operate/tail/tail_line.hpp"

namespace svc::devapi {

class RequestTail final : public TailSource {
  public:
    // `since`: microseconds since 1970.
    RequestTail(std::string file, std::int64_t since);
    RequestTail(std::string file, const TailPlace& after);
    TailLines first(std::size_t limit) override { return after(limit); }
    TailLines next() override;
    std::string place() const override;

  private:
    TailLines after(std::size_t limit);

    const std::string file_;
    const std::int64_t since_ = 0;
    std::uint64_t number_ = 0;  // of the last one that was read
};

class ErrorTail final : public TailSource {
  public:
    // `log`: path of the log; what was trimmed from it stands in <log>.1.
    ErrorTail(std::string log, std::int64_t since);
    ErrorTail(std::string log, const TailPlace& after);
    TailLines first(std::size_t limit) override;
    TailLines next() override;
    std::string place() const override;

  private:
    const std::string log_;
    const std::int64_t since_ = 0;
    std::uint64_t offset_ = 0;  // bytes of the log that were read
};

}  // namespace svc::devapi
