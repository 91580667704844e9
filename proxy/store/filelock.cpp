// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/filelock.h"

#include <QFile>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

namespace headway::store {

FileLock::FileLock(int descriptor)
    : m_descriptor(descriptor)
{
}

FileLock::FileLock(FileLock &&other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, -1))
{
}

FileLock &FileLock::operator=(FileLock &&other) noexcept
{
    std::swap(m_descriptor, other.m_descriptor);
    return *this;
}

FileLock::~FileLock()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

std::optional<FileLock> FileLock::tryLock(const QString &path)
{
    FileLock lock(::open(QFile::encodeName(path).constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (lock.m_descriptor < 0 || ::flock(lock.m_descriptor, LOCK_EX | LOCK_NB) != 0)
        return std::nullopt;
    return lock;
}

} // namespace headway::store
