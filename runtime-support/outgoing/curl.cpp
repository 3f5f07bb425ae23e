#include "outgoing/curl.hpp"

#include <dlfcn.h>

#include <new>
#include <stdexcept>
#include <string>

namespace svc::outgoing {
namespace {

template <class Function>
void find(void* library, const char* name, Function& out) {
    out = reinterpret_cast<Function>(::dlsym(library, name));
    if (out == nullptr) throw std::runtime_error(std::string("libcurl has no ") + name);
}

Curl load() {
    void* library = ::dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        throw std::runtime_error(std::string("libcurl cannot be loaded: ") + ::dlerror());
    decltype(&curl_global_init) global_init = nullptr;
    find(library, "curl_global_init", global_init);
    if (global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        throw std::runtime_error("libcurl did not start");
    Curl curl{};
    find(library, "curl_easy_init", curl.easy_init);
    find(library, "curl_easy_setopt", curl.easy_setopt);
    find(library, "curl_easy_perform", curl.easy_perform);
    find(library, "curl_easy_getinfo", curl.easy_getinfo);
    find(library, "curl_easy_strerror", curl.easy_strerror);
    find(library, "curl_easy_cleanup", curl.easy_cleanup);
    find(library, "curl_slist_append", curl.slist_append);
    find(library, "curl_slist_free_all", curl.slist_free_all);
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
