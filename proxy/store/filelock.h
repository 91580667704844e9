// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace headway::store {

// An advisory lock that the kernel drops with the process, however that ends. It stands on a file
// of its own: closing any descriptor of an SQLite file would drop SQLite's own locks.
class FileLock final
{
public:
    // Nothing while another process, or another lock of this one, holds it, or when the file
    // cannot be made. The file is 0600 and stays behind, empty.
    [[nodiscard]] static std::optional<FileLock> tryLock(const QString &path);

    FileLock(FileLock &&other) noexcept;
    FileLock &operator=(FileLock &&other) noexcept;
    ~FileLock();

private:
    explicit FileLock(int descriptor);

    int m_descriptor = -1;
};

} // namespace headway::store
