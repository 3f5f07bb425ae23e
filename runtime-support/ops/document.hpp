// The app's OpenAPI document, as it is served: a text that is fixed before the server starts.
#pragma once

#include <string>
#include <string_view>

#include "http/exchange.hpp"

namespace svc::ops {

class Document {
  public:
    // `text` must outlive it.
    explicit Document(std::string_view text);

    // 304 where the caller has this very text already.
    void answer(http::Exchange& exchange) const;

  private:
    const std::string_view text_;
    const std::string tag_;
};

}  // namespace svc::ops
