// Two findings that the linter must make, in each run: without them it reads nothing.
#include <string>
#include <utility>

template <class Text>
std::size_t BadlyNamed(Text text) {
    const Text other = std::move(text);
    return text.size() + other.size();
}

template std::size_t BadlyNamed(std::string text);
