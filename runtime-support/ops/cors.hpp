// Cross-origin headers: which pages of other origins may read an answer.
#pragma once

#include "http/exchange.hpp"
#include "identity/key/key_store.hpp"

namespace svc::ops {

// Call it after the answer is written. Null `key`: the request was not admitted, and all keys of
// the app decide.
void answer_origin(http::Exchange& exchange, const identity::KeyStore& keys, const AppKey* key);

// OPTIONS: needs no key, since browsers send none with it.
void answer_preflight(http::Exchange& exchange, const identity::KeyStore& keys);

}  // namespace svc::ops
