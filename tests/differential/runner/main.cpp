// Asks every compiled predicate about every row and every caller of the file that it is given:
// a line a predicate, its number and a character a row, callers in turn.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <list>
#include <string>
#include <vector>

#include "predicates.hpp"

namespace {

// "-" is null, "3:abc" a text.
class Reader {
  public:
    explicit Reader(const char* path) : file_(path) {}

    std::size_t count() {
        std::size_t out = 0;
        file_ >> out;
        return out;
    }
    svc::Text cell() {
        std::string head;
        char c = 0;
        file_ >> std::ws;
        while (file_.get(c) && c != ':' && c != '-') head += c;
        if (c == '-') return {};
        std::string& text = texts_.emplace_back(std::stoul(head), '\0');
        file_.read(text.data(), static_cast<std::streamsize>(text.size()));
        return std::string_view(text);
    }
    std::vector<std::vector<svc::Text>> rows() {
        std::vector<std::vector<svc::Text>> out(count());
        const std::size_t columns = count();
        for (auto& row : out) {
            for (std::size_t i = 0; i < columns; ++i) row.push_back(cell());
        }
        return out;
    }
    std::vector<svc::Viewer> viewers() {
        std::vector<svc::Viewer> out(count());
        for (svc::Viewer& viewer : out) {
            viewer.principals = count();
            viewer.is_admin = count() == 1;
            viewer.id = cell();
            viewer.persona = cell();
            viewer.org = cell();
            viewer.email = cell();
            viewer.now = svc::moment(*cell());
            viewer.today = svc::day(*cell());
        }
        return out;
    }

  private:
    std::ifstream file_;
    std::list<std::string> texts_;
};

}  // namespace

int main(int, char** argv) {
    Reader in(argv[1]);
    const auto before = in.rows();
    const auto after = in.rows();
    const auto viewers = in.viewers();
    for (const Predicate* const* part = kParts; *part != nullptr; ++part) {
        for (const Predicate* each = *part; each->number >= 0; ++each) {
            std::string line = std::to_string(each->number) + " ";
            for (const svc::Viewer& viewer : viewers) {
                for (std::size_t i = 0; i < before.size(); ++i) {
                    const svc::Record row{before[i]};
                    line += each->holds(row, row, svc::Record{after[i]}, viewer) ? '1' : '0';
                }
            }
            std::cout << line << '\n';
        }
    }
}
