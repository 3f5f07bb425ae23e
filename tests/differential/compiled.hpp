// The C++ back end: predicates compiled as generated code is, and asked by a program of their own.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "world.hpp"

namespace svc::differential {

struct CppCase {
    int number;
    std::string condition;  // C++ over row, before, after, viewer and field::
};

class Compiled {
  public:
    // `folder` is emptied. `fault`: svc/maybe.hpp is compiled with that changed: a pair of texts.
    Compiled(std::string folder, const plan::Plan& plan);
    // Answers by number of case, callers in turn.
    std::map<int, std::vector<Answers>> run(const World& world, const std::vector<CppCase>& cases,
                                            const std::pair<std::string, std::string>& fault = {});

  private:
    void write_data(const World& world);
    int write_parts(const std::vector<CppCase>& cases);
    void build(int parts);

    std::string folder_;
    std::string fields_;  // field::name = column
    std::vector<Person> people_;
};

}  // namespace svc::differential
