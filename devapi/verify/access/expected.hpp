// The outcome that the contract demands for an action on a row.
#pragma once

#include <cstdint>
#include <string>

#include "base/words.hpp"

namespace svc::devapi::verification {

enum class ExpectedOutcome : std::uint8_t {
    hidden,      // the caller does not see the row
    theirs,      // it is for others to do
    impossible,  // the row's state does not allow it
    done
};

}  // namespace svc::devapi::verification

template <>
struct svc::base::Words<svc::devapi::verification::ExpectedOutcome> {
    static constexpr std::array<std::string_view, 4> kAll = {"hidden", "theirs", "impossible",
                                                             "done"};
};

namespace svc::devapi::verification {

// A picked row with the expected outcome: "<id> <word>".
struct ExpectedRow {
    std::string id;
    ExpectedOutcome expected = ExpectedOutcome::done;
};
inline ExpectedRow expected_row_of(const std::string& line) {
    const auto space = line.find(' ');
    return {line.substr(0, space), *base::read_word<ExpectedOutcome>(line.substr(space + 1))};
}

}  // namespace svc::devapi::verification
