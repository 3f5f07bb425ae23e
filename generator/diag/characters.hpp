// Bytes of text as a reader's screen takes them.
#pragma once

namespace svc::diag {

// True for characters that a terminal would act on instead of showing them.
inline bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

}  // namespace svc::diag
