// SPDX-License-Identifier: GPL-3.0-or-later
// bench_upstream [PORT]: the fake provider of the benchmarks. Prints {"port":N} and serves.
#include "tests/bench/benchprovider.h"

#include <cstdio>
#include <cstdlib>

int main(int argc, char *argv[])
{
    headway::bench::BenchProvider provider;
    const auto wanted = static_cast<std::uint16_t>(argc > 1 ? std::atoi(argv[1]) : 0);
    const std::uint16_t port = provider.listen(wanted);
    if (port == 0) {
        std::perror("bench_upstream: no port to listen on");
        return 1;
    }
    std::printf("{\"port\":%u}\n", static_cast<unsigned>(port));
    std::fflush(stdout);
    provider.run();
}
