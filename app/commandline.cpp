// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commandline.h"

#include <QCoreApplication>

#include <cstdio>

namespace headway::app {

namespace {

const QString setOption = QStringLiteral("set");

QString textOf(std::string_view text)
{
    return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

// "60 (0 to 600 per minute)", "bucket (off or bucket)", "none".
QString defaultAndRange(const settings::Row &row)
{
    const QString fallback = row.fallback.empty() ? QStringLiteral("none") : textOf(row.fallback);
    const std::string allowed = settings::allowedValues(row);
    return allowed.empty()
        ? fallback
        : QStringLiteral("%1 (%2)").arg(fallback, QString::fromStdString(allowed));
}

QString suggestion(const QString &name)
{
    const std::string_view nearest = settings::nearest(name.toStdString());
    return nearest.empty() ? QString() : QStringLiteral("; did you mean %1?").arg(textOf(nearest));
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

QString CommandLine::programName() const
{
    return m_command.isEmpty() ? QStringLiteral("headway") : QStringLiteral("headway ") % m_command;
}

QString CommandLine::optionsHelp() const
{
    // Qt puts the path that the program was started by into the first line.
    QString text = m_parser.helpText();
    const QString program = QCoreApplication::arguments().value(0);
    const qsizetype at = text.indexOf(program);
    if (!program.isEmpty() && at >= 0 && at < text.indexOf(QLatin1Char('\n')))
        text.replace(at, program.size(), programName());
    return text;
}

QString CommandLine::settingsHelp() const
{
    if (!m_takesSettings)
        return {};
    QString text = QStringLiteral("\nSettings (--set key=value, HEADWAY_KEY=value, or the file), "
                                  "with default and range; * is read at start only:\n");
    for (const settings::Row &row : settings::table()) {
        const QString name
            = textOf(row.name) % (row.atRuntime ? QLatin1String() : QLatin1String("*"));
        text += QStringLiteral("  %1 %2 %3\n")
                    .arg(name, -24)
                    .arg(defaultAndRange(row), -38)
                    .arg(textOf(row.description));
    }
    return text;
}

std::optional<int> CommandLine::parse(const QStringList &arguments)
{
    const bool parsed = m_parser.parse(QStringList{programName()} + arguments);
    if (parsed && m_parser.isSet(QStringLiteral("help"))) {
        printOut((optionsHelp() % settingsHelp()).toUtf8());
        return Fine;
    }
    if (!parsed) {
        printError(m_parser.errorText());
        return WrongCall;
    }
    if (!m_takesMore && positional().size() > m_mostPositional) {
        printError(QStringLiteral("unexpected argument \"%1\"; see %2 --help")
                       .arg(positional().at(m_mostPositional), programName()));
        return WrongCall;
    }
    return std::nullopt;
}

QStringList CommandLine::settingPairs() const
{
    return m_takesSettings ? m_parser.values(setOption) : QStringList();
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

bool CommandLine::applySettings(settings::Settings &settings) const
{
    std::vector<std::string> notices;
    const auto applied = applySettings(settings, notices);
    for (const std::string &notice : notices)
        printError(QString::fromStdString(notice));
    if (!applied)
        printError(applied.error());
    return applied.has_value();
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
