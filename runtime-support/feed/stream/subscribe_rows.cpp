#include "feed/stream/subscribe_rows.hpp"

#include <string_view>
#include <utility>

namespace svc::feed {
namespace {

constexpr std::string_view kParams[] = {"access_token", "app_session", "lastEventId", "filter"};

}  // namespace

std::vector<route::Endpoint> subscribe_rows() {
    route::Endpoint one{.method = Method::get,
                        .path = "/topics/<id>/subscribe",
                        .entry = route::Entry::key,
                        .params = kParams,
                        .credentials_in_query = true};
    // A topic stands there several times; the others are looked at beside them.
    route::Endpoint several{.method = Method::get,
                            .path = "/topics/subscribe",
                            .entry = route::Entry::key,
                            .foreign_params = true,
                            .credentials_in_query = true};
    return {std::move(one), std::move(several)};
}

}  // namespace svc::feed
