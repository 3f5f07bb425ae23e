#include "svc/values.hpp"

namespace svc {

template <class T>
Sent<T>::Sent() noexcept = default;
template <class T>
Sent<T>::~Sent() = default;

template struct Sent<std::string>;
template struct Sent<std::int64_t>;
template struct Sent<double>;
template struct Sent<bool>;
template struct Sent<Decimal>;
template struct Sent<Money>;
template struct Sent<Date>;
template struct Sent<Time>;
template struct Sent<Timestamp>;
template struct Sent<JsonText>;
template struct Sent<KeyText>;
template struct Sent<Uuid>;
template struct Sent<Tags>;

}  // namespace svc
