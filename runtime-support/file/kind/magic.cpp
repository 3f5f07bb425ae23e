// libmagic, loaded at its first use: it brings two megabytes of patterns.
#include <mutex>
#include <stdexcept>

#include "file/kind/mime.hpp"
#include "outgoing/shared_library.hpp"

namespace svc::file {
namespace {

// Flags of magic.h. They unpack nothing and examine no program.
constexpr int kMimeType = 0x0000010;
constexpr int kNoCompress = 0x0001000;
constexpr int kNoElf = 0x0010000;

class Magic {
  public:
    Magic() {
        const outgoing::SharedLibrary library("libmagic.so.1");
        void* (*open)(int) = nullptr;
        int (*load)(void*, const char*) = nullptr;
        library.find("magic_open", open);
        library.find("magic_load", load);
        library.find("magic_buffer", buffer_);
        cookie_ = open(kMimeType | kNoCompress | kNoElf);
        if (cookie_ == nullptr || load(cookie_, nullptr) != 0)
            throw std::runtime_error("libmagic cannot read its patterns (package libmagic-mgc)");
    }

    // One at a time: a cookie keeps the text that it answers.
    std::string ask(std::string_view head) {
        const std::lock_guard lock(mutex_);
        const char* found = buffer_(cookie_, head.data(), head.size());
        return found == nullptr ? std::string() : std::string(found);
    }

  private:
    std::mutex mutex_;
    void* cookie_ = nullptr;
    const char* (*buffer_)(void*, const void*, std::size_t) = nullptr;
};

}  // namespace

std::string found_type(std::string_view head) {
    static Magic magic;
    return normal_type(magic.ask(head.substr(0, kHeadBytes)));
}

}  // namespace svc::file
