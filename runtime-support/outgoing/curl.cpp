#include "outgoing/curl.hpp"

#include <new>
#include <stdexcept>

#include "outgoing/shared_library.hpp"

namespace svc::outgoing {
namespace {

Curl load() {
    const SharedLibrary library("libcurl.so.4");
    decltype(&curl_global_init) global_init = nullptr;
    library.find("curl_global_init", global_init);
    if (global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        throw std::runtime_error("libcurl did not start");
    Curl curl{};
    library.find("curl_easy_init", curl.easy_init);
    library.find("curl_easy_setopt", curl.easy_setopt);
    library.find("curl_easy_perform", curl.easy_perform);
    library.find("curl_easy_getinfo", curl.easy_getinfo);
    library.find("curl_easy_strerror", curl.easy_strerror);
    library.find("curl_easy_cleanup", curl.easy_cleanup);
    library.find("curl_slist_append", curl.slist_append);
    library.find("curl_slist_free_all", curl.slist_free_all);
    return curl;
}

}  // namespace

const Curl& Curl::library() {
    static const Curl curl = load();
    return curl;
}

Handle::Handle() : curl_(Curl::library()), handle_(curl_.easy_init()) {
    if (handle_ == nullptr) throw std::bad_alloc();
    set(CURLOPT_NOSIGNAL, 1L);  // or its time-outs would be signals of the process
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

long Handle::answer_code() const {
    long code = 0;
    curl_.easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &code);
    return code;
}

}  // namespace svc::outgoing
