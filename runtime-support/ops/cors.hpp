// Cross-origin answers: which pages of other origins may read what we say.
#pragma once

#include "http/exchange.hpp"
#include "identity/key_store.hpp"

namespace svc::ops {

// Call it after the answer is written. `key` null: the request was not admitted, and any key of the
// app decides.
void answer_origin(http::Exchange& exchange, const identity::KeyStore& keys, const AppKey* key);

// OPTIONS: needs no key, since browsers send none with it.
void answer_preflight(http::Exchange& exchange, const identity::KeyStore& keys);

}  // namespace svc::ops
