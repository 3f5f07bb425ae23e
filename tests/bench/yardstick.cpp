// The time to compile this file, with the options of a server's sources, measures the machine. Bars
// of builds are multiples of it.
#include <algorithm>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

std::string yardstick(const std::vector<std::string>& words) {
    std::map<std::string, std::vector<std::size_t>> places;
    for (std::size_t i = 0; i < words.size(); ++i) places[words[i]].push_back(i);
    std::ostringstream out;
    for (auto& [word, found] : places) {
        std::sort(found.begin(), found.end(), std::greater<>());
        out << word << ' ' << found.front() << '\n';
    }
    return out.str();
}
