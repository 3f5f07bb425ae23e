// The topics that a request asks for, and whether its caller may listen to them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "feed/stream/listener.hpp"
#include "identity/result.hpp"

namespace svc::feed {

inline constexpr std::size_t kMaxTopics = 50;

struct Asked {
    std::vector<std::string> topics;  // each once
    bool with_topic = false;          // the request may name several
    std::string filter;               // JSON, as sent; empty: none
};

// Errors: TOPIC_INVALID, PARAMS_INVALID. `query`: of the request.
identity::Result<Asked> one_topic(std::string_view name, std::string_view query);
identity::Result<Asked> several_topics(std::string_view query);

// Enters the caller as a reader of each. Errors: TOPIC_FORBIDDEN; of the filter as in lists.
identity::Result<std::vector<Part>> enter_topics(const App& app, Audience& audience,
                                                 const Caller& caller, const Asked& asked);

// The database may have to be asked about rows of one of them (feed/reader/reader_sets.hpp), or has
// to be: a filter is asked there.
bool may_ask(const App& app, const Caller& caller, const Asked& asked);

}  // namespace svc::feed
