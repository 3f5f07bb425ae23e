// Characters of text that a terminal interprets.
#pragma once

namespace svc::diag {

// True for characters that a terminal interprets instead of showing them.
inline bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

}  // namespace svc::diag
