// SPDX-License-Identifier: GPL-3.0-or-later
// The settings file: whatever stands in it, each setting has a value that it would accept again,
// and every key that is passed over is named.
#include "proxy/core/settings/upstreams.h"
#include "proxy/store/settingsfile.h"
#include "tests/fuzz/require.h"

#include <QDir>
#include <QFile>

#include <unistd.h>

using namespace headway;

namespace {

// In memory where there is such a folder; a path of this process alone.
QString scratch()
{
    const QString shared = QStringLiteral("/dev/shm");
    return QString((QDir(shared).exists() ? shared : QDir::tempPath())
                   + QStringLiteral("/headway-fuzz-") + QString::number(getpid()));
}

} // namespace

int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size)
{
    static const QString path = scratch();
    {
        QFile file(path);
        REQUIRE(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(reinterpret_cast<const char *>(data), static_cast<qint64>(size));
        file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
    }
    settings::Settings read;
    for (const pacing::Notice &notice : store::SettingsFile(path).readInto(read))
        REQUIRE(!notice.text.empty());
    for (const settings::Row &row : settings::table()) {
        settings::Settings again;
        const std::string text = read.text(row.key);
        if (!read.isSet(row.key))
            continue;
        const auto outcome = again.set(settings::Source::File, row.key, text);
        REQUIRE(outcome.accepted && !outcome.notice);
        REQUIRE(again.text(row.key) == text && again.integer(row.key) == read.integer(row.key));
    }
    (void)settings::parseUpstreams(read.text(settings::Key::Upstream));
    QFile::remove(path);
    return 0;
}
