#include "outgoing/curl.hpp"

#include <new>
#include <stdexcept>

#include "outgoing/shared_library.hpp"

namespace svc::outgoing {
namespace {

void find_multi(const SharedLibrary& library, Curl& curl) {
    library.find("curl_multi_init", curl.multi_init);
    library.find("curl_multi_add_handle", curl.multi_add_handle);
    library.find("curl_multi_perform", curl.multi_perform);
    library.find("curl_multi_poll", curl.multi_poll);
    library.find("curl_multi_info_read", curl.multi_info_read);
    library.find("curl_multi_remove_handle", curl.multi_remove_handle);
    library.find("curl_multi_cleanup", curl.multi_cleanup);
    library.find("curl_multi_wakeup", curl.multi_wakeup);
}

Curl load() {
    const SharedLibrary library("libcurl.so.4");
    decltype(&curl_global_init) global_init = nullptr;
    library.find("curl_global_init", global_init);
    if (global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        throw std::runtime_error("libcurl failed to start");
    Curl curl{};
    library.find("curl_easy_init", curl.easy_init);
    library.find("curl_easy_setopt", curl.easy_setopt);
    library.find("curl_easy_perform", curl.easy_perform);
    library.find("curl_easy_getinfo", curl.easy_getinfo);
    library.find("curl_easy_strerror", curl.easy_strerror);
    library.find("curl_easy_cleanup", curl.easy_cleanup);
    library.find("curl_easy_pause", curl.easy_pause);
    library.find("curl_slist_append", curl.slist_append);
    library.find("curl_slist_free_all", curl.slist_free_all);
    find_multi(library, curl);
    return curl;
}

// Runs one transfer in slices.
class Multi {
  public:
    Multi(const Curl& curl, CURL* easy) : curl_(curl), easy_(easy), handle_(curl.multi_init()) {
        if (handle_ == nullptr) throw std::bad_alloc();
        added_ = curl_.multi_add_handle(handle_, easy_);
    }
    ~Multi() {
        if (added_ == CURLM_OK) curl_.multi_remove_handle(handle_, easy_);
        curl_.multi_cleanup(handle_);
    }
    Multi(const Multi&) = delete;
    Multi& operator=(const Multi&) = delete;

    CURLcode run(const std::function<void()>& tick, int milliseconds) const {
        int running = 1;
        CURLMcode state = added_;
        while (running != 0 && state == CURLM_OK) {
            state = curl_.multi_perform(handle_, &running);
            if (running == 0 || state != CURLM_OK) break;
            state = curl_.multi_poll(handle_, nullptr, 0, milliseconds, nullptr);
            tick();
        }
        return state == CURLM_OK ? result() : CURLE_OUT_OF_MEMORY;
    }

  private:
    CURLcode result() const {
        CURLcode result = CURLE_OK;
        int left = 0;
        while (const CURLMsg* message = curl_.multi_info_read(handle_, &left)) {
            if (message->msg == CURLMSG_DONE) result = message->data.result;
        }
        return result;
    }

    const Curl& curl_;
    CURL* easy_;
    CURLM* handle_;
    CURLMcode added_;
};

}  // namespace

const Curl& Curl::library() {
    static const Curl curl = load();
    return curl;
}

Handle::Handle() : curl_(Curl::library()), handle_(curl_.easy_init()) {
    if (handle_ == nullptr) throw std::bad_alloc();
    set(CURLOPT_NOSIGNAL, 1L);  // or its time-outs would be signals of the process
    // Otherwise the end of a call waits until the system has resolved its name. One name that no
    // server answers would hold up all calls of the thread.
    set(CURLOPT_QUICK_EXIT, 1L);
}

Handle::~Handle() {
    curl_.slist_free_all(lines_);
    curl_.easy_cleanup(handle_);
}

void Handle::add(const char* line) {
    curl_slist* longer = curl_.slist_append(lines_, line);
    if (longer == nullptr) throw std::bad_alloc();
    lines_ = longer;
}

CURLcode Handle::perform(const std::function<void()>& tick, int milliseconds) {
    return Multi(curl_, handle_).run(tick, milliseconds);
}

std::string Handle::content_type() const {
    const char* type = nullptr;
    curl_.easy_getinfo(handle_, CURLINFO_CONTENT_TYPE, &type);
    return type == nullptr ? "" : type;
}

long Handle::sent_bytes() const {
    long bytes = 0;
    curl_.easy_getinfo(handle_, CURLINFO_REQUEST_SIZE, &bytes);
    return bytes;
}

long Handle::answer_code() const {
    long code = 0;
    curl_.easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &code);
    return code;
}

}  // namespace svc::outgoing
