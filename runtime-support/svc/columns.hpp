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

// The parameters of `create`, in their order, are given to `put`.
template <IdFrom ids>
struct OfCreate {
    template <class Put>
    static constexpr void each(List<Column> columns, const Put& put) {
        for (std::uint16_t i = 0; i < columns.size(); ++i) {
            const Column& column = columns[i];
            if (column.writers.create != kNobody) {
                if (column.has_default) put(Bind{Bind::sent, i});
                put(Bind{Bind::value, i});
            } else if (column.name == "id" && ids == IdFrom::server) {
                put(Bind{Bind::id, i});
            } else if (column.name == "user_id") {
                put(Bind{Bind::user_id, i});
            } else if (column.name == "org_id") {
                put(Bind{Bind::org_id, i});
            }
        }
    }
};

struct OfUpdate {
    template <class Put>
    static constexpr void each(List<Column> columns, const Put& put) {
        put(Bind{Bind::id, 0});
        for (std::uint16_t i = 0; i < columns.size(); ++i) {
            if (columns[i].writers.update == kNobody) continue;
            put(Bind{Bind::sent, i});
            put(Bind{Bind::value, i});
        }
        put(Bind{Bind::versions, 0});
    }
};

template <const auto& columns, class Of>
class Parameters {
    static constexpr std::size_t count() {
        std::size_t out = 0;
        Of::each(columns, [&out](const Bind&) { ++out; });
        return out;
    }

    static constexpr Type type_of(const Bind& bind) {
        if (bind.source == Bind::sent) return Type::boolean;
        return bind.source == Bind::versions ? Type::tags : columns[bind.column].type;
    }

    struct Arrays {
        Bind binds[count()] = {};
        Type types[count()] = {};
    };

    static constexpr Arrays made() {
        Arrays out;
        std::size_t at = 0;
        Of::each(columns, [&](const Bind& bind) {
            out.binds[at] = bind;
            out.types[at++] = type_of(bind);
        });
        return out;
    }

    static constexpr Arrays kMade = made();

  public:
    static constexpr List<Bind> binds = kMade.binds;
    static constexpr List<Type> types = kMade.types;
};

template <const auto& columns, IdFrom ids = IdFrom::server>
using CreateParameters = Parameters<columns, OfCreate<ids>>;
template <const auto& columns>
using UpdateParameters = Parameters<columns, OfUpdate>;

}  // namespace svc
