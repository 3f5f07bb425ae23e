// The disk as a store: a file's bytes are under its id once they have been renamed.
#include <filesystem>

#include "base/formats.hpp"
#include "file/disk/disk.hpp"
#include "outgoing/off_thread.hpp"

namespace svc::file {
namespace {

namespace fs = std::filesystem;

struct OpeningFile {
    std::string root, id, part;
    int operator()() const {
        try {
            return open_stored(root, id, part);
        } catch (const std::exception&) {
            return -1;
        }
    }
};

// The folder changes while it is read.
std::uint64_t size_of(const fs::directory_entry& entry) {
    std::error_code gone;
    const auto size = entry.file_size(gone);
    return gone ? 0 : size;
}

class DiskStore final : public ByteStore {
  public:
    explicit DiskStore(std::string root) : root_(std::move(root)) {}

    Task<std::string> take(std::shared_ptr<Part> /*part*/) override { co_return std::string(); }
    Task<Opened> open(const Readers& by, const Wanted& file) override {
        Opened out;
        out.bytes = co_await open_on_disk(root_, by.threads, file, true);
        co_return out;
    }
    void settle(const std::string& id, const std::string& part) override { place(root_, id, part); }
    void settle_late(const std::string& id, const std::string& part) override { settle(id, part); }
    void remove(const std::string& id, const std::string& /*part*/) override {
        remove_stored(root_, id);
    }
    void drop(const std::string& part) override { remove_part(root_, part); }
    void each(const std::function<void(const Listed&)>& visit) override {
        each_on_disk(root_, visit);
    }
    void remove_all() override {}  // the folder goes with its app

  private:
    const std::string root_;
};

}  // namespace

std::unique_ptr<ByteStore> make_disk_store(const std::string& root) {
    return std::make_unique<DiskStore>(root);
}

Task<std::shared_ptr<http::BodySource>> open_on_disk(const std::string& root, Threads& threads,
                                                     const Wanted& file, bool place) {
    OpeningFile opening{root, file.id, place ? file.part : ""};
    const int fd = co_await outgoing::off_thread(threads.pool(), std::move(opening));
    if (fd < 0) co_return nullptr;
    co_return std::make_shared<FileSource>(fd, file.from, file.length, threads);
}

// First those that are to be renamed: whatever is renamed meanwhile is found in its place.
void each_on_disk(const std::string& root, const std::function<void(const Listed&)>& visit) {
    std::error_code none;
    const std::string parts = fs::is_symlink(root + "/tmp", none) ? "" : root + "/tmp";
    for (const auto& entry : fs::directory_iterator(parts, none)) {
        const std::string part = entry.path().filename();
        const std::string id = part.substr(0, part.find('.'));
        if (base::is_uuid(id)) visit({id, part, size_of(entry), true});
    }
    for (const auto& below : fs::directory_iterator(root, none)) {
        std::error_code gone;
        // An app owns this folder; what it links to is not its own.
        if (below.path().filename() == "tmp" || below.is_symlink(gone) || !below.is_directory(gone))
            continue;
        for (const auto& entry : fs::directory_iterator(below.path(), gone)) {
            const std::string id = entry.path().filename();
            if (base::is_uuid(id)) visit({id, "", size_of(entry)});
        }
    }
}

}  // namespace svc::file
