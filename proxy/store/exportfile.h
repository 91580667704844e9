// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/store/storeerror.h"

#include <QFileDevice>
#include <QString>

#include <memory>
#include <string>
#include <tl/expected.hpp>

namespace headway::store {

// A file that is written beside its name and takes it only when it is whole; "-" is standard
// output. 0600, as the ledger itself. Without commit() nothing is left.
class ExportFile final
{
public:
    [[nodiscard]] static tl::expected<ExportFile, StoreError> create(const QString &path);

    // What to write next is appended here.
    [[nodiscard]] std::string &buffer() { return m_buffer; }
    // Hands the buffer on once it is worth a call. Call it after every record.
    tl::expected<void, StoreError> writeIfLarge();
    tl::expected<void, StoreError> commit();

    [[nodiscard]] const QString &path() const { return m_path; }

private:
    ExportFile(QString path, std::unique_ptr<QFileDevice> device);
    tl::expected<void, StoreError> write();
    [[nodiscard]] StoreError failure() const;

    QString m_path;
    std::unique_ptr<QFileDevice> m_device;
    std::string m_buffer;
};

} // namespace headway::store
