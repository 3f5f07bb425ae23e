#include "file/s3/store.hpp"

#include <algorithm>
#include <chrono>

#include "base/formats.hpp"
#include "outgoing/off_thread.hpp"

namespace svc::file {
namespace {

constexpr std::chrono::seconds kFirstWord{10}, kNextPiece{30};

// The bytes from the store as they arrive. The call waits if the answer's client is slower.
class S3Bytes final : public http::BodySource {
  public:
    S3Bytes(std::shared_ptr<outgoing::Incoming> incoming, std::uint64_t length)
        : incoming_(std::move(incoming)), length_(length), left_(length) {}

    std::uint64_t length() const override { return length_; }
    Task<std::string_view> next() override {
        auto piece = co_await incoming_->next(kNextPiece);
        bytes_ = std::move(piece.bytes);
        bytes_.resize(std::min<std::uint64_t>(bytes_.size(), left_));
        left_ -= bytes_.size();
        co_return bytes_;
    }

  private:
    const std::shared_ptr<outgoing::Incoming> incoming_;
    const std::uint64_t length_;
    std::uint64_t left_;
    std::string bytes_;
};

// A HEAD is answered with the length alone, which the row knows: pages ask it of each file they
// show.
class NoBytes final : public http::BodySource {
  public:
    explicit NoBytes(std::uint64_t length) : length_(length) {}
    std::uint64_t length() const override { return length_; }
    Task<std::string_view> next() override { co_return std::string_view(); }

  private:
    const std::uint64_t length_;
};

bool is_part(std::string_view name) {
    return name.size() == 36 + 1 + 16 && name[36] == '.' && base::is_uuid(name.substr(0, 36));
}

// A store that knows no ranges sends all of it.
bool is_answer(const outgoing::Fetched& head, const Wanted& file) {
    return head.status == 206 || (head.status == 200 && file.from == 0);
}

}  // namespace

struct S3Store::SendJob {
    S3Client& client;
    std::string key;
    std::shared_ptr<Part> part;
    std::string operator()() const {
        const auto read = [this](std::uint64_t at, std::size_t most) {
            return part->read(at, most);
        };
        try {
            client.put(key, part->size(), read);
            return {};
        } catch (const std::exception& error) {
            return error.what();
        }
    }
};

Task<std::string> S3Store::take(std::shared_ptr<Part> part) {
    SendJob sending{client_, prefix_ + part->name(), std::move(part)};
    co_return co_await outgoing::off_thread(senders_.pool(), std::move(sending));
}

// Files that were stored before S3 was configured are still on the disk.
Task<Opened> S3Store::open(const Readers& by, const Wanted& file) {
    Opened out;
    out.bytes = co_await open_on_disk(root_, by.threads, file, false);
    if (out.bytes) co_return out;
    if (file.head) out.bytes = std::make_shared<NoBytes>(file.length);
    if (file.head) co_return out;
    outgoing::Fetch call = client_.reading(prefix_ + file.part, file.from, file.length);
    const auto incoming = by.calls.open(by.io, std::move(call));
    const outgoing::Fetched head = co_await incoming->head(kFirstWord);
    if (head.status == 404 || head.status == 416) {
        // Stored on the disk by a server that was killed before the store was chosen.
        out.bytes = co_await open_on_disk(root_, by.threads, file, true);
        co_return out;
    }
    if (is_answer(head, file))
        out.bytes = std::make_shared<S3Bytes>(incoming, file.length);
    else
        out.later = s3_failure(head);
    co_return out;
}

void S3Store::settle(const std::string& /*id*/, const std::string& part) {
    remove_part(root_, part);
}

void S3Store::settle_late(const std::string& id, const std::string& part) {
    bool is_there = false;
    client_.each(prefix_ + part, [&](const std::string&, std::uint64_t) { is_there = true; });
    is_there ? remove_part(root_, part) : place(root_, id, part);
}

void S3Store::remove(const std::string& id, const std::string& part) {
    client_.remove(prefix_ + part);
    remove_stored(root_, id);
}

void S3Store::drop(const std::string& part) {
    if (is_part(part)) client_.remove(prefix_ + part);
    remove_part(root_, part);
}

void S3Store::each(const std::function<void(const Listed&)>& visit) {
    each_on_disk(root_, [&visit](const Listed& file) {
        if (!file.waits) visit(file);
    });
    client_.each(prefix_, [&](const std::string& key, std::uint64_t size) {
        const std::string part = key.substr(prefix_.size());
        if (is_part(part)) visit({part.substr(0, 36), part, size});
    });
}

void S3Store::remove_all() {
    client_.each(prefix_, [this](const std::string& key, std::uint64_t) { client_.remove(key); });
}

}  // namespace svc::file
