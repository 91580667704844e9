// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a fuzzer over a folder of inputs without looking for new ones, so that every build of the
// tests sees what was found once.
#include "tests/fuzz/require.h"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

int main(int argc, char **argv)
{
    if (argc != 2) {
        std::cerr << "usage: replay FOLDER\n";
        return 2;
    }
    int inputs = 0;
    for (const auto &entry : std::filesystem::directory_iterator(argv[1])) {
        std::cout << entry.path().filename().string() << std::endl; // flushed: an input may abort
        std::ifstream file(entry.path(), std::ios::binary);
        const std::string text(std::istreambuf_iterator<char>(file), {});
        (void)LLVMFuzzerTestOneInput(reinterpret_cast<const unsigned char *>(text.data()),
                                     text.size());
        ++inputs;
    }
    return inputs > 0 ? 0 : 1;
}
