// A chart: drawn as SVG, with a table of the same numbers for people who cannot see it.
#pragma once

#include <string>
#include <vector>

#include "page/html/html.hpp"
#include "svc/page.hpp"

namespace svc::page {

struct Point {
    std::string name, words;
    double value = 0;
    std::size_t place = 0;  // among the values of an enum field, in the contract's order
};

// Uses the block's kind of chart, its title and the labels of its columns.
void write_points(Html& out, const Block& block, const std::vector<Point>& points);

}  // namespace svc::page
