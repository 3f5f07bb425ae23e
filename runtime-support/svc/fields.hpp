// The envelope's `fields` of all columns of an entity, as a text that the compiler makes:
// [{"name":"id","type":"2950"},…].
#pragma once

#include <cstdint>
#include <string_view>

#include "svc/entity.hpp"

namespace svc {

// `columns` is an array of Column. Their names are identifiers, so nothing in them is escaped.
template <const auto& columns>
class Fields {
    static constexpr std::string_view kName = "{\"name\":\"", kType = "\",\"type\":\"",
                                      kEnd = "\"}";

    static constexpr std::size_t digits(std::uint32_t number) {
        return number < 10 ? 1 : 1 + digits(number / 10);
    }

    static constexpr std::size_t size() {
        std::size_t out = 1;  // each but the last ends with a comma
        for (const Column& column : columns)
            out += kName.size() + column.name.size() + kType.size() +
                   digits(shown_oid(column.type)) + kEnd.size() + 1;
        return out;
    }

    struct Text {
        char bytes[size()] = {};
    };

    static constexpr Text made() {
        Text out;
        char* at = out.bytes;
        const auto put = [&at](std::string_view part) {
            for (const char c : part) *at++ = c;
        };
        char separator = '[';
        for (const Column& column : columns) {
            *at++ = separator;
            separator = ',';
            put(kName);
            put(column.name);
            put(kType);
            std::uint32_t number = shown_oid(column.type);
            const std::size_t length = digits(number);
            for (std::size_t i = length; i-- > 0; number /= 10)
                at[i] = static_cast<char>('0' + number % 10);
            at += length;
            put(kEnd);
        }
        *at = ']';
        return out;
    }

    static constexpr Text kText = made();

  public:
    static constexpr std::string_view json{kText.bytes, size()};
};

}  // namespace svc
