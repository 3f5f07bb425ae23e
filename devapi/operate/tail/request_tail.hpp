// The requests that an app's servers answered, which are in a file, and the calls of connectors
// that the app made, which are rows of its database.
#pragma once

#include <cstdint>
#include <string>

#include "operate/tail/connector_calls.hpp"
#include "operate/tail/tail_line.hpp"
#include "ops/request_ring.hpp"

namespace svc::devapi {

class RequestTail final : public TailSource {
  public:
    // `database`: administrator connection. `since`: microseconds since 1970.
    RequestTail(std::string file, std::string database, std::int64_t since);
    RequestTail(std::string file, std::string database, const TailPlace& after);
    TailLines first(std::size_t limit) override { return after(limit); }
    TailLines next() override;
    std::string place() const override;

  private:
    TailLines after(std::size_t limit);
    std::vector<ConnectorCalls::Call> calls();
    TailLine line_of(const ops::SeenRequest& seen);
    TailLine line_of(ConnectorCalls::Call call);

    const std::string file_;
    const std::int64_t since_ = 0;
    std::uint64_t number_ = 0;    // of the last request that was read
    std::int64_t called_at_ = 0;  // of the last call
    ConnectorCalls calls_;
};

}  // namespace svc::devapi
