// Lists put together from others.
#pragma once

#include <iterator>
#include <utility>
#include <vector>

namespace svc::base {

template <class T>
void append(std::vector<T>& to, std::vector<T> from) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace svc::base
