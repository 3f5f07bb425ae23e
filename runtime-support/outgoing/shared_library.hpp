// A library that is loaded at its first use and stays loaded. Servers that never use it need no
// start time and no memory for it.
#pragma once

#include <string>

namespace svc::outgoing {

class SharedLibrary {
  public:
    // Throws std::runtime_error if it is not installed.
    explicit SharedLibrary(const char* file);

    // Throws std::runtime_error if it has no such function.
    template <class Function>
    void find(const char* name, Function& out) const {
        out = reinterpret_cast<Function>(address_of(name));
    }

  private:
    void* address_of(const char* name) const;

    const std::string file_;
    void* handle_;
};

}  // namespace svc::outgoing
