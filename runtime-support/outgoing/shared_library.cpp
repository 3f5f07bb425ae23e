#include "outgoing/shared_library.hpp"

#include <dlfcn.h>

#include <stdexcept>

namespace svc::outgoing {

SharedLibrary::SharedLibrary(const char* file)
    : file_(file), handle_(::dlopen(file, RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) throw std::runtime_error(file_ + " cannot be loaded: " + ::dlerror());
}

void* SharedLibrary::address_of(const char* name) const {
    void* found = ::dlsym(handle_, name);
    if (found == nullptr) throw std::runtime_error(file_ + " has no " + name);
    return found;
}

}  // namespace svc::outgoing
