// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commandline.h"

#include <QCoreApplication>

#include <cstdio>

namespace headway::app {

namespace {

const QString setOption = QStringLiteral("set");

QString settingsHelp()
{
    QString text
        = QStringLiteral("\nSettings (--set key=value, HEADWAY_KEY=value, or the file):\n");
    for (const settings::Row &row : settings::table()) {
        const QString name = QString::fromUtf8(row.name.data(), qsizetype(row.name.size()));
        const QString what
            = QString::fromUtf8(row.description.data(), qsizetype(row.description.size()));
        QString detail = QString::fromUtf8(row.fallback.data(), qsizetype(row.fallback.size()));
        if (row.kind == settings::Kind::Integer)
            detail += QStringLiteral(" (%1 to %2%3)")
                          .arg(row.minimum)
                          .arg(row.maximum)
                          .arg(row.unit.empty() ? QString()
                                                : QLatin1Char(' ')
                                       % QString::fromUtf8(row.unit.data(),
                                                           qsizetype(row.unit.size())));
        text += QStringLiteral("  %1 %2 %3\n").arg(name, -26).arg(detail, -32).arg(what);
    }
    return text;
}

QString suggestion(const QString &name)
{
    const std::string_view nearest = settings::nearest(name.toStdString());
    return nearest.empty() ? QString()
                           : QStringLiteral("; did you mean %1?")
                                 .arg(QString::fromUtf8(nearest.data(), qsizetype(nearest.size())));
}

} // namespace

CommandLine::CommandLine(const QString &command, const QString &description)
    : m_command(command)
{
    m_parser.setApplicationDescription(description);
    m_parser.addOption(
        {{QStringLiteral("h"), QStringLiteral("help")}, QStringLiteral("Shows this text.")});
}

void CommandLine::add(const QString &name, const QString &description, const QString &valueName,
                      const QString &fallback)
{
    m_parser.addOption({name, description, valueName, fallback});
}

void CommandLine::addPositional(const QString &name, const QString &description)
{
    m_parser.addPositionalArgument(name, description);
    ++m_mostPositional;
}

void CommandLine::addSettings()
{
    m_takesSettings = true;
    add(setOption, QStringLiteral("Sets a setting for this run; repeatable."),
        QStringLiteral("key=value"));
}

std::optional<int> CommandLine::parse(const QStringList &arguments)
{
    const bool parsed
        = m_parser.parse(QStringList{QStringLiteral("headway ") % m_command} + arguments);
    if (parsed && m_parser.isSet(QStringLiteral("help"))) {
        const QString program = QCoreApplication::arguments().value(0);
        printOut(
            m_parser.helpText().replace(program, QStringLiteral("headway ") % m_command).toUtf8());
        if (m_takesSettings)
            printOut(settingsHelp().toUtf8());
        return Fine;
    }
    if (!parsed) {
        printError(m_parser.errorText());
        return WrongCall;
    }
    if (positional().size() > m_mostPositional) {
        printError(QStringLiteral("unexpected argument \"%1\"; see headway %2 --help")
                       .arg(positional().at(m_mostPositional), m_command));
        return WrongCall;
    }
    return std::nullopt;
}

std::optional<qint64> CommandLine::number(const QString &name, qint64 minimum, qint64 maximum) const
{
    bool isNumber = false;
    const qint64 value = m_parser.value(name).trimmed().toLongLong(&isNumber);
    if (isNumber && value >= minimum && value <= maximum)
        return value;
    printError(QStringLiteral("--%1 takes a whole number from %2 to %3, not \"%4\"")
                   .arg(name)
                   .arg(minimum)
                   .arg(maximum)
                   .arg(m_parser.value(name)));
    return std::nullopt;
}

tl::expected<void, QString> CommandLine::applySettings(settings::Settings &settings,
                                                       std::vector<std::string> &notices) const
{
    if (!m_takesSettings)
        return {};
    for (const QString &pair : m_parser.values(setOption)) {
        const qsizetype equals = pair.indexOf(QLatin1Char('='));
        const QString name = pair.left(equals).trimmed();
        const auto key = equals < 0 ? std::nullopt : settings::find(name.toStdString());
        if (equals < 0)
            return tl::unexpected(QStringLiteral("--set takes key=value, not \"%1\"").arg(pair));
        if (!key)
            return tl::unexpected(
                QStringLiteral("--set: there is no setting \"%1\"%2").arg(name, suggestion(name)));
        const auto outcome
            = settings.set(settings::Source::CommandLine, *key, pair.mid(equals + 1).toStdString());
        if (!outcome.accepted)
            return tl::unexpected(QStringLiteral("--set ")
                                  % QString::fromStdString(outcome.notice->text));
        if (outcome.notice)
            notices.push_back(outcome.notice->text);
    }
    return {};
}

tl::expected<ListenAddress, QString> parseListenAddress(const QString &text)
{
    const auto wrong = [&] {
        return tl::unexpected(
            QStringLiteral("\"%1\" is no address to listen on; write ADDRESS:PORT, for example "
                           "127.0.0.1:17421 (port 0: any free one)")
                .arg(text));
    };
    const QString trimmed = text.trimmed();
    const qsizetype colon = trimmed.lastIndexOf(QLatin1Char(':'));
    QString host = colon < 0 ? QStringLiteral("127.0.0.1") : trimmed.left(colon);
    bool isNumber = false;
    const uint port = trimmed.mid(colon + 1).toUInt(&isNumber);
    if (!isNumber || port > 65535)
        return wrong();
    if (host.startsWith(QLatin1Char('[')) && host.endsWith(QLatin1Char(']')))
        host = host.mid(1, host.size() - 2);
    if (host == QLatin1String("localhost"))
        host = QStringLiteral("127.0.0.1");
    ListenAddress result{QHostAddress(host), static_cast<quint16>(port)};
    if (result.address.isNull())
        return wrong();
    return result;
}

void printError(const QString &text)
{
    const QByteArray line = "headway: " + text.toUtf8() + '\n';
    std::fwrite(line.constData(), 1, static_cast<std::size_t>(line.size()), stderr);
}

void printOut(const QByteArray &text)
{
    std::fwrite(text.constData(), 1, static_cast<std::size_t>(text.size()), stdout);
    std::fflush(stdout);
}

} // namespace headway::app
