// The errors and warnings in the log of an app's servers.
#pragma once

#include <cstdint>
#include <string>

#include "operate/tail/tail_line.hpp"

namespace svc::devapi {

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
