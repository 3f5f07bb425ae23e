#include "identity/key/key_store.hpp"

#include <stdexcept>

#include "base/number.hpp"
#include "base/sha256.hpp"
#include "identity/command.hpp"
#include "identity/key/origin.hpp"
#include "json/formats.hpp"

namespace svc::identity {
namespace {

constexpr std::string_view kReadKeys =
    "select id::text, kind, hash::text, array_to_string(origins, ' '),"
    " floor(extract(epoch from expires_at))::bigint::text, to_jsonb(k) ->> 'per_minute',"
    " tools::text, models::text"
    " from svc.app_key k where expires_at is null or expires_at > now()";

constexpr auto kTrust = std::chrono::seconds(60);

std::vector<std::string> origins_of(std::string_view words) {
    std::vector<std::string> origins;
    while (!words.empty()) {
        const auto end = std::min(words.find(' '), words.size());
        const std::string_view word = words.substr(0, end);
        words.remove_prefix(std::min(end + 1, words.size()));
        std::string origin = word == "*" ? "*" : normalised_origin(word);
        if (!origin.empty()) origins.push_back(std::move(origin));
    }
    return origins;
}

std::optional<std::vector<std::string>> names_of(const Row& row, int column) {
    if (row.null(column)) return std::nullopt;
    std::vector<std::string> names;
    std::string_view text = row.text(column);
    json::ArrayItem item;
    while (json::next_array_item(text, item)) names.push_back(item.text);
    return names;
}

template <class Number>
std::optional<Number> number_of(const Row& row, int column) {
    if (row.null(column)) return std::nullopt;
    return base::number_of<Number>(row.text(column));
}

std::optional<KeyStore::Time> time_of(const Row& row, int column) {
    const auto seconds = number_of<long long>(row, column);
    if (!seconds) return std::nullopt;
    return KeyStore::Time(std::chrono::seconds(*seconds));
}

class KeyRows : public db::RowSink {
  public:
    void row(const Row& row) override {
        const auto digest = digest_of(row.text(2));
        if (!digest) return;
        auto key = std::make_shared<AppKey>();
        key->id = row.text(0);
        key->kind = base::read_word<KeyKind>(row.text(1)).value_or(KeyKind::browser);
        key->origins = origins_of(row.text(3));
        key->per_minute = number_of<unsigned>(row, 5);
        key->tools = names_of(row, 6);
        key->models = names_of(row, 7);
        entries.emplace(*digest, KeyStore::Entry{std::move(key), time_of(row, 4)});
    }

    KeyStore::Entries entries;
};

bool good(const KeyStore::Entry& entry, KeyStore::Time now) {
    return !entry.expires_at || *entry.expires_at > now;
}

}  // namespace

KeyStore::KeyStore(Entries entries)
    : entries_(std::make_shared<const Entries>(std::move(entries))) {}

Task<> KeyStore::reload(db::Pool& system) {
    const auto asked_at = std::chrono::steady_clock::now();
    KeyRows rows;
    const db::Command command = identity::command("svc_keys", kReadKeys, {}, &rows);
    const db::Outcome outcome = co_await system.run({&command, 1});
    if (!outcome.ok)
        throw std::runtime_error("cannot read the app's keys: " + outcome.error().message);
    auto entries = std::make_shared<const Entries>(std::move(rows.entries));
    const std::lock_guard lock(mutex_);
    if (asked_at < read_at_) co_return;  // overtaken by a later reading
    entries_ = std::move(entries);
    read_at_ = asked_at;
}

bool KeyStore::trusted(SteadyTime now) const {
    const std::lock_guard lock(mutex_);
    return now - read_at_ < kTrust;
}

std::shared_ptr<const KeyStore::Entries> KeyStore::entries() const {
    const std::lock_guard lock(mutex_);
    return entries_;
}

std::shared_ptr<const AppKey> KeyStore::find(std::string_view bearer, Time now) const {
    const auto entries = this->entries();
    const auto found = entries->find(base::sha256(bearer));
    if (found == entries->end() || !good(found->second, now)) return nullptr;
    return found->second.key;
}

bool KeyStore::has(std::string_view id, Time now) const {
    if (id == kOwnPagesId) return true;
    const auto entries = this->entries();
    for (const auto& [digest, entry] : *entries)
        if (entry.key->id == id) return good(entry, now);
    return false;
}

bool KeyStore::any_bound_to(std::string_view origin, Time now) const {
    const auto entries = this->entries();
    for (const auto& [digest, entry] : *entries)
        if (good(entry, now) && usable_from(*entry.key, origin)) return true;
    return false;
}

bool KeyStore::any_names(std::string_view origin, Time now) const {
    const auto entries = this->entries();
    for (const auto& [digest, entry] : *entries)
        if (good(entry, now) && origin_named(origin, entry.key->origins)) return true;
    return false;
}

bool usable_from(const AppKey& key, std::string_view origin) {
    return key.kind == KeyKind::preview || origin_bound(origin, key.origins);
}

}  // namespace svc::identity
