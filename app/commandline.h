// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "proxy/core/settings/settings.h"

#include <QCommandLineParser>
#include <QHostAddress>
#include <QString>
#include <QStringList>

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace headway::app {

// Exit status (spec/cli.md): 0 fine, 1 the thing asked for failed, 2 the call was wrong.
enum ExitStatus { Fine = 0, Failed = 1, WrongCall = 2 };

// One subcommand's options. Help goes to stdout; what is wrong with a call goes to stderr.
class CommandLine final
{
public:
    CommandLine(const QString &command, const QString &description);

    void add(const QString &name, const QString &description, const QString &valueName = {},
             const QString &fallback = {});
    void addPositional(const QString &name, const QString &description);
    // The last positional argument may be given any number of times.
    void allowMorePositionals() { m_takesMore = true; }
    // --set key=value, repeatable: any row of the settings table.
    void addSettings();

    // What --help prints, in two parts: the options, and the settings (empty without addSettings).
    [[nodiscard]] QString optionsHelp() const;
    [[nodiscard]] QString settingsHelp() const;

    // Nothing: go on. Otherwise the exit status of a call that is over (--help, or wrong).
    [[nodiscard]] std::optional<int> parse(const QStringList &arguments);

    [[nodiscard]] bool has(const QString &name) const { return m_parser.isSet(name); }
    [[nodiscard]] QString value(const QString &name) const { return m_parser.value(name); }
    [[nodiscard]] QStringList settingPairs() const; // of --set, "key=value"
    [[nodiscard]] QStringList positional() const { return m_parser.positionalArguments(); }
    // A whole number within the range, or nothing after a message on stderr.
    [[nodiscard]] std::optional<qint64> number(const QString &name, qint64 minimum,
                                               qint64 maximum) const;

    // Puts the --set values into `settings`, adding to `notices` what was clamped; or which of them
    // is wrong, in one sentence.
    [[nodiscard]] tl::expected<void, QString>
    applySettings(settings::Settings &settings, std::vector<std::string> &notices) const;
    // The same with its words on stderr; false if a value is wrong.
    [[nodiscard]] bool applySettings(settings::Settings &settings) const;

private:
    [[nodiscard]] QString programName() const;

    QString m_command; // empty: the program itself
    QCommandLineParser m_parser;
    bool m_takesSettings = false;
    bool m_takesMore = false;
    int m_mostPositional = 0;
};

struct ListenAddress
{
    QHostAddress address;
    quint16 port = 0;
};

// "127.0.0.1:17421", "[::1]:0", "localhost:0", or a port alone.
[[nodiscard]] tl::expected<ListenAddress, QString> parseListenAddress(const QString &text);

void printError(const QString &text); // one line on stderr, "headway: …"
void printOut(const QByteArray &text); // stdout, flushed

} // namespace headway::app
