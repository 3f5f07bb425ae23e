#include "data/ordering.hpp"

namespace svc::data {

constexpr Ordering kOwnOrdering{" < ", " <= ", " > ", " >= ", " asc", " desc", ""};

namespace {

constexpr Ordering kBytes{" ~<~ ",      " ~<=~ ",     " ~>~ ",         " ~>=~ ",
                          " using ~<~", " using ~>~", " collate \"C\""};

}  // namespace

const Ordering& ordering_of(const Entity& entity, const Column& column) {
    const bool text = column.type == Type::text || column.type == Type::enumeration;
    return entity.external && text ? kBytes : kOwnOrdering;
}

}  // namespace svc::data
