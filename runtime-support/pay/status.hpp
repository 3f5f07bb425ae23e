// The status of a payment, in the words of svc.payment.
#pragma once

#include <cstdint>

#include "base/words.hpp"

namespace svc::pay {

enum class Status : std::uint8_t {
    due,         // to be paid offline
    processing,  // the card provider has it
    paid,
    failed
};

}  // namespace svc::pay

template <>
struct svc::base::Words<svc::pay::Status> {
    static constexpr std::array<std::string_view, 4> kAll = {"due", "processing", "paid", "failed"};
};
