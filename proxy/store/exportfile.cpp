// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/exportfile.h"

#include <QFile>
#include <QSaveFile>

#include <cstdio>
#include <utility>

namespace headway::store {

namespace {

constexpr std::size_t worthACall = 512 * 1024;

} // namespace

ExportFile::ExportFile(QString path, std::unique_ptr<QFileDevice> device)
    : m_path(std::move(path))
    , m_device(std::move(device))
{
    m_buffer.reserve(worthACall + worthACall / 8);
}

tl::expected<ExportFile, StoreError> ExportFile::create(const QString &path)
{
    if (path == QLatin1String("-")) {
        auto output = std::make_unique<QFile>();
        if (!output->open(stdout, QIODevice::WriteOnly))
            return tl::unexpected(ExportFile(path, std::move(output)).failure());
        return ExportFile(path, std::move(output));
    }
    auto output = std::make_unique<QSaveFile>(path);
    if (!output->open(QIODevice::WriteOnly))
        return tl::unexpected(ExportFile(path, std::move(output)).failure());
    output->setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
    return ExportFile(path, std::move(output));
}

tl::expected<void, StoreError> ExportFile::writeIfLarge()
{
    if (m_buffer.size() < worthACall)
        return {};
    return write();
}

tl::expected<void, StoreError> ExportFile::commit()
{
    if (auto written = write(); !written)
        return written;
    auto *beside = qobject_cast<QSaveFile *>(m_device.get());
    if (beside != nullptr ? !beside->commit() : !m_device->flush())
        return tl::unexpected(failure());
    return {};
}

tl::expected<void, StoreError> ExportFile::write()
{
    const auto size = static_cast<qint64>(m_buffer.size());
    if (m_device->write(m_buffer.data(), size) != size)
        return tl::unexpected(failure());
    m_buffer.clear();
    return {};
}

StoreError ExportFile::failure() const
{
    const bool full = m_device->error() == QFileDevice::ResourceError;
    return {full ? StoreError::Code::Full : StoreError::Code::CannotOpen,
            QStringLiteral("%1 cannot be written: %2").arg(m_path, m_device->errorString())};
}

} // namespace headway::store
