// Serves the app's OpenAPI document, a text that is fixed before the server starts.
#pragma once

#include <string>
#include <string_view>

#include "http/exchange.hpp"

namespace svc::ops {

class Document {
  public:
    // `text` must outlive it.
    explicit Document(std::string_view text) : text_(text) {}

    // Answers 304 if the caller already has this text.
    void answer(http::Exchange& exchange);

  private:
    const std::string_view text_;
    std::string tag_;  // made when it is first asked for
};

}  // namespace svc::ops
