// The status of a payment and how it is made, with the names that svc.payment stores.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/words.hpp"

namespace svc::pay {

enum class Status : std::uint8_t {
    due,         // to be paid offline
    processing,  // the card provider has it
    paid,
    failed
};

enum class PayMethod : std::uint8_t { offline, card };

}  // namespace svc::pay

template <>
struct svc::base::Words<svc::pay::Status> {
    static constexpr std::array<std::string_view, 4> kAll = {"due", "processing", "paid", "failed"};
};

template <>
struct svc::base::Words<svc::pay::PayMethod> {
    static constexpr std::array<std::string_view, 2> kAll = {"offline", "card"};
};
