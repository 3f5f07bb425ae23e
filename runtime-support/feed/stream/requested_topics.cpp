#include "feed/stream/requested_topics.hpp"

#include <algorithm>

#include "base/percent.hpp"
#include "data/columns.hpp"
#include "data/filter/filter.hpp"
#include "feed/messages.hpp"
#include "feed/reader/reader_sets.hpp"
#include "feed/topic/topic_name.hpp"
#include "feed/viewer.hpp"
#include "http/request/params.hpp"
#include "json/value.hpp"

namespace svc::feed {
namespace {

using identity::refusal;
using identity::Refusal;

constexpr std::string_view kBeside[] = {"access_token", "app_session", "lastEventId", "topic"};

Refusal no_topic(std::string_view name) {
    return refusal(Code::topic_invalid,
                   name.empty() ? "The parameter topic is missing. Name a topic: ?topic=app:news."
                                : kBadTopicName);
}

// The values of `topic`, and the rest of the query without them.
void part_topics(std::string_view query, std::vector<std::string>& topics, std::string& rest) {
    while (!query.empty()) {
        const std::string_view pair = query.substr(0, query.find('&'));
        query.remove_prefix(std::min(query.size(), pair.size() + 1));
        const std::size_t equals = pair.find('=');
        if (base::percent_decoded(pair.substr(0, equals), true) == "topic") {
            const std::string_view value = equals == pair.npos ? "" : pair.substr(equals + 1);
            topics.push_back(base::percent_decoded(value, true));
        } else if (!pair.empty()) {
            rest.append(rest.empty() ? "" : "&").append(pair);
        }
    }
}

// The first value stands for the rows, which come with each page.
data::Result<std::shared_ptr<const Filter>> read_filter(const App& app, const Entity& entity,
                                                        const Caller& caller,
                                                        std::string_view json) {
    json::Parsed parsed = json::parse(json);
    if (!parsed.error.empty()) return data::bad_params("filter: " + parsed.error);
    const data::Visible visible = data::visible_columns(entity, caller.principals);
    const data::filter::FilterScope scope{entity, visible.columns, app.timezone, nullptr};
    auto filter = std::make_shared<Filter>();
    filter->text.bind({}, Type::json);
    auto condition = data::filter::filter_condition(scope, parsed.value, filter->text);
    if (!condition) return condition.error();
    if (condition->empty()) return std::shared_ptr<const Filter>();
    filter->text.sql = std::move(*condition);
    filter->key = filter->text.sql;
    for (const std::string& value : filter->text.values)
        filter->key += '\0' + std::to_string(value.size()) + ':' + value;
    return std::shared_ptr<const Filter>(std::move(filter));
}

bool hears(const Caller& caller, std::string_view notifications) {
    return caller.user && notifications.substr(kNotifications.size()) == caller.user->id;
}

identity::Result<ReaderPtr> enter_rows(const App& app, Audience& audience, const Caller& caller,
                                       std::string_view table, std::string_view json) {
    const Entity* entity = app.entity(table);
    if (!entity || !entity->access.reads(caller.principals))
        return refusal(Code::topic_forbidden, "You may not read this table.");
    if (entity->external)
        return refusal(
            Code::topic_forbidden,
            "The rows of this table are in another database, which does not report changes.");
    std::shared_ptr<const Filter> filter;
    if (!json.empty()) {
        auto read = read_filter(app, *entity, caller, json);
        if (!read) return Refusal{read.error()};
        filter = std::move(*read);
    }
    return audience.enter(*entity, caller, std::move(filter));
}

}  // namespace

identity::Result<Asked> one_topic(std::string_view name, std::string_view query) {
    Asked asked;
    asked.topics.emplace_back(name);
    if (!is_topic(name)) return no_topic(name);
    asked.filter = http::query_param(query, "filter").value;
    if (!asked.filter.empty() && kind_of(name) != TopicKind::row_changed)
        return refusal(Code::params_invalid, "filter works only with topics row-changed:<table>.",
                       "filter");
    return asked;
}

identity::Result<Asked> several_topics(std::string_view query) {
    Asked asked;
    asked.with_topic = true;
    std::string rest;
    part_topics(query, asked.topics, rest);
    if (const auto error = http::check_params(rest, kBeside)) return Refusal{*error};
    if (asked.topics.empty()) return no_topic({});
    for (const std::string& name : asked.topics)
        if (!is_topic(name)) return no_topic(name);
    std::ranges::sort(asked.topics);
    asked.topics.erase(std::unique(asked.topics.begin(), asked.topics.end()), asked.topics.end());
    if (asked.topics.size() > kMaxTopics)
        return refusal(Code::params_invalid, "A stream may have at most 50 topics.", "topic");
    return asked;
}

identity::Result<std::vector<Part>> enter_topics(const App& app, Audience& audience,
                                                 const Caller& caller, const Asked& asked) {
    std::vector<Part> parts;
    for (const std::string& name : asked.topics) {
        const TopicKind kind = kind_of(name);
        if (kind == TopicKind::foreign)
            return refusal(
                Code::topic_forbidden,
                "A topic's name must begin with app: or row-changed:, or have no colon.");
        Part part{name, nullptr};
        if (kind == TopicKind::row_changed) {
            auto reader = enter_rows(app, audience, caller, table_of(name), asked.filter);
            if (!reader) return reader.error();
            part.reader = std::move(*reader);
        } else if (is_notifications(name)
                       ? !hears(caller, name)
                       : !may_subscribe(find_topic(app.topics, name), viewer_of(caller))) {
            return refusal(Code::topic_forbidden, "You may not listen to this topic.");
        }
        parts.push_back(std::move(part));
    }
    return parts;
}

bool may_ask(const App& app, const Caller& caller, const Asked& asked) {
    if (!asked.filter.empty()) return true;
    return std::ranges::any_of(asked.topics, [&](const std::string& name) {
        const bool rows = kind_of(name) == TopicKind::row_changed;
        const Entity* entity = rows ? app.entity(table_of(name)) : nullptr;
        return entity && may_ask(*entity, viewer_of(caller));
    });
}

}  // namespace svc::feed
