// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace headway::testing {

// Whatever the machine's own environment says about proxies and authorities is not the test's.
inline void clearOutboundEnvironment()
{
    for (const char *name : {"HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY",
                             "no_proxy", "SSL_CERT_FILE"})
        qunsetenv(name);
}

} // namespace headway::testing
