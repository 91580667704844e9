// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QPair>
#include <QProcess>
#include <QStringList>
#include <QTemporaryDir>

#include <memory>

namespace headway::tests {

// The built program as a child process with a home of its own. The executable's path is in
// HEADWAY_PROGRAM.
class Program final
{
public:
    using Environment = QList<QPair<QString, QString>>;

    explicit Program(const QStringList &arguments, const Environment &environment = {});
    // In the home of another one.
    Program(const QStringList &arguments, const Program &sharedHome);
    ~Program();
    Program(const Program &) = delete;
    Program &operator=(const Program &) = delete;

    [[nodiscard]] int waitForEnd(); // its exit status; -1: killed, -2: still running after 60 s
    [[nodiscard]] QByteArray firstLine(); // of stdout
    [[nodiscard]] quint16 port(); // from the first line
    [[nodiscard]] qint64 pid() const { return m_process.processId(); }
    [[nodiscard]] QByteArray output(); // stdout so far, but for a first line that was asked for
    [[nodiscard]] QByteArray errors(); // stderr so far
    void send(int signal);

    // Names of what lies in its home.
    [[nodiscard]] QStringList homeEntries() const;
    [[nodiscard]] QString home() const { return m_home->path(); }
    // What `ledger export` prints for this home's ledger.
    [[nodiscard]] QByteArray exported() const;

private:
    void start(const QStringList &arguments, const Environment &environment);

    std::shared_ptr<QTemporaryDir> m_home;
    QProcess m_process;
    QByteArray m_firstLine;
    QByteArray m_output;
    QByteArray m_errors;
};

} // namespace headway::tests
