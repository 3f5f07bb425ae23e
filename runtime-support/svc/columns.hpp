// What follows from the columns of an entity, made by the compiler: the envelope's `fields`, and
// the parameters of the statements that write a row.
#pragma once

#include <cstdint>
#include <string_view>

#include "svc/entity.hpp"

namespace svc {

// [{"name":"id","type":"2950"},…]. `columns` is an array of Column. Their names are identifiers, so
// nothing in them is escaped.
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

// Who makes the id of a new row: this server; or another database, if the row is kept there.
enum class IdFrom : std::uint8_t { server, other_database };

// The parameters of `create`, in their order: how many there are. They are written to `out`, if it
// is not null.
template <IdFrom ids>
constexpr std::size_t create_binds(List<Column> columns, Bind* out) {
    std::size_t count = 0;
    const auto put = [&count, out](Bind::Source source, std::uint16_t column) {
        if (out != nullptr) out[count] = {source, column};
        ++count;
    };
    for (std::uint16_t i = 0; i < columns.size(); ++i) {
        const Column& column = columns[i];
        if (column.writers.create != kNobody) {
            if (column.has_default) put(Bind::sent, i);
            put(Bind::value, i);
        } else if (column.name == "id" && ids == IdFrom::server) {
            put(Bind::id, i);
        } else if (column.name == "user_id") {
            put(Bind::user_id, i);
        } else if (column.name == "org_id") {
            put(Bind::org_id, i);
        }
    }
    return count;
}

// Those of `update`.
constexpr std::size_t update_binds(List<Column> columns, Bind* out) {
    std::size_t count = 0;
    const auto put = [&count, out](Bind::Source source, std::uint16_t column) {
        if (out != nullptr) out[count] = {source, column};
        ++count;
    };
    put(Bind::id, 0);
    for (std::uint16_t i = 0; i < columns.size(); ++i) {
        if (columns[i].writers.update == kNobody) continue;
        put(Bind::sent, i);
        put(Bind::value, i);
    }
    put(Bind::versions, 0);
    return count;
}

constexpr Type type_of(const Bind& bind, List<Column> columns) {
    if (bind.source == Bind::sent) return Type::boolean;
    return bind.source == Bind::versions ? Type::tags : columns[bind.column].type;
}

template <const auto& columns, std::size_t (*fill)(List<Column>, Bind*)>
class Parameters {
    static constexpr List<Column> kColumns{columns};
    static constexpr std::size_t kCount = fill(kColumns, nullptr);

    struct Arrays {
        Bind binds[kCount] = {};
        Type types[kCount] = {};
    };

    static constexpr Arrays made() {
        Arrays out;
        fill(kColumns, out.binds);
        for (std::size_t i = 0; i < kCount; ++i) out.types[i] = type_of(out.binds[i], kColumns);
        return out;
    }

    static constexpr Arrays kMade = made();

  public:
    static constexpr List<Bind> binds = kMade.binds;
    static constexpr List<Type> types = kMade.types;
};

template <const auto& columns, IdFrom ids = IdFrom::server>
using CreateParameters = Parameters<columns, create_binds<ids>>;
template <const auto& columns>
using UpdateParameters = Parameters<columns, update_binds>;

}  // namespace svc
