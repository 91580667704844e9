// SPDX-License-Identifier: GPL-3.0-or-later
// A client's own configuration, written for it and given back (spec/window.md, "Setup"; 0600 by
// spec/safety.md). Expected texts stand here in full; JSON is read back by another reader.
#include "app/clientconfig.h"
#include "app/clientfile.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace headway::app;

class ClientConfigTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aClientIsToldAnAddressThatAnswers_data();
    void aClientIsToldAnAddressThatAnswers();
    void claudeGetsItsEnvironment_data();
    void claudeGetsItsEnvironment();
    void claudeKeepsItsOwnLoginBehindThePassThrough();
    void whatWeWroteGoesBehindThePassThrough_data();
    void whatWeWroteGoesBehindThePassThrough();
    void whatIsNoSettingsFileIsRefused_data();
    void whatIsNoSettingsFileIsRefused();
    void codexGetsItsProvider_data();
    void codexGetsItsProvider();
    void codexIsToldWhetherSocketsAreTaken();
    void codexIsWrittenTwiceAsOnce();
    void aProfileThatCountsMoreIsNamed_data();
    void aProfileThatCountsMoreIsNamed();
    void whatIsNoTomlIsRefused_data();
    void whatIsNoTomlIsRefused();
    void aFileIsWrittenAndGivenBack();
    void aFileThatWasNotThereIsGoneAgain();
    void aSecondWriteKeepsTheFirstBackup();
    void nothingThatWasKeptIsOverwritten();
    void aLinkThatLeadsNowhereIsLeft();
    void aRefusedChangeLeavesTheFile();
    void aFolderThatCannotBeWrittenIsSaid();
    void aLinkStaysALink();

private:
    static void put(const QString &path, const QByteArray &text)
    {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    static QByteArray get(const QString &path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(none)");
    }
    static bool isPrivate(const QString &path)
    {
        return (QFileInfo(path).permissions() & QFile::Permissions(0x77)) == QFile::Permissions();
    }
};

namespace {

ClientSetupFacts facts()
{
    ClientSetupFacts facts;
    facts.baseUrl = QStringLiteral("http://127.0.0.1:17421");
    facts.accessKey = QStringLiteral("KEY");
    facts.models = {QStringLiteral("gpt-5.5"), QStringLiteral("gpt-mini")};
    return facts;
}

tl::expected<std::string, QString> appended(std::string_view text)
{
    return std::string(text) + "ours\n";
}

} // namespace

void ClientConfigTest::aClientIsToldAnAddressThatAnswers_data()
{
    QTest::addColumn<QString>("listen");
    QTest::addColumn<QString>("url");
    const auto row = [](const char *listen, const char *url) {
        QTest::newRow(listen) << QString::fromLatin1(listen) << QString::fromLatin1(url);
    };
    row("127.0.0.1:17421", "http://127.0.0.1:17421");
    row("17421", "http://127.0.0.1:17421");
    row("localhost:17421", "http://127.0.0.1:17421");
    row("[::1]:17421", "http://[::1]:17421");
    row("0.0.0.0:17421", "http://127.0.0.1:17421");
    row("[::]:17421", "http://[::1]:17421");
    row("192.168.7.20:80", "http://192.168.7.20:80");
    row("[fd00::7]:80", "http://[fd00::7]:80");
    row("[fe80::1%eth9]:80", "http://[fe80::1%25eth9]:80");
}

void ClientConfigTest::aClientIsToldAnAddressThatAnswers()
{
    QFETCH(const QString, listen);
    QFETCH(const QString, url);
    const auto where = parseListenAddress(listen);
    QVERIFY(where);
    QCOMPARE(clientUrl(*where), url);
}

void ClientConfigTest::claudeGetsItsEnvironment_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    const QByteArray fresh = R"(
    "ANTHROPIC_BASE_URL": "http://127.0.0.1:17421/k/KEY",
    "ANTHROPIC_API_KEY": "headway",
    "ANTHROPIC_MODEL": "gpt-5.5",
    "ANTHROPIC_DEFAULT_HAIKU_MODEL": "gpt-mini")";
    QTest::newRow("no file") << QByteArray("")
                             << QByteArray("{\n  \"env\": {" + fresh + "\n  }\n}\n");
    QTest::newRow("empty object") << QByteArray("{}")
                                  << QByteArray("{\n  \"env\": {" + fresh + "\n  }\n}");
    QTest::newRow("other settings stay as they are")
        << QByteArray("{\n  \"model\": \"opus\",\n  \"big\": 12345678901234567890.10\n}\n")
        << QByteArray("{\n  \"env\": {" + fresh
                      + "\n  },\n  \"model\": \"opus\",\n  \"big\": 12345678901234567890.10\n}\n");
    QTest::newRow("other variables stay")
        << QByteArray("{\"env\": {\"A\": \"1\"}, \"z\": 1}")
        << QByteArray("{\"env\": {" + fresh + ",\"A\": \"1\"}, \"z\": 1}");
    QTest::newRow("old values go")
        << QByteArray(R"({"env":{"ANTHROPIC_API_KEY":"sk-\"1","ANTHROPIC_BASE_URL":7,)"
                      R"("ANTHROPIC_MODEL":"x","ANTHROPIC_DEFAULT_HAIKU_MODEL":"y"}})")
        << QByteArray(R"({"env":{"ANTHROPIC_API_KEY":"headway","ANTHROPIC_BASE_URL":)"
                      R"("http://127.0.0.1:17421/k/KEY","ANTHROPIC_MODEL":"gpt-5.5",)"
                      R"("ANTHROPIC_DEFAULT_HAIKU_MODEL":"gpt-mini"}})");
}

void ClientConfigTest::claudeGetsItsEnvironment()
{
    QFETCH(const QByteArray, before);
    QFETCH(const QByteArray, after);
    const auto text = withClaudeEnvironment(before.toStdString(), facts());
    QVERIFY2(text, text ? "" : qPrintable(text.error()));
    QCOMPARE(QByteArray::fromStdString(*text), after);
    const QJsonObject env = QJsonDocument::fromJson(QByteArray::fromStdString(*text))
                                .object()
                                .value(QStringLiteral("env"))
                                .toObject();
    QCOMPARE(env.value(QStringLiteral("ANTHROPIC_BASE_URL")).toString(),
             QStringLiteral("http://127.0.0.1:17421/k/KEY"));
    QCOMPARE(*withClaudeEnvironment(*text, facts()), *text); // once more changes nothing
}

void ClientConfigTest::claudeKeepsItsOwnLoginBehindThePassThrough()
{
    ClientSetupFacts passed = facts();
    passed.passThrough = true;
    const auto text = withClaudeEnvironment("{}", passed);
    QVERIFY(text);
    QCOMPARE(*text,
             std::string(
                 "{\n  \"env\": {\n    \"ANTHROPIC_BASE_URL\": \"http://127.0.0.1:17421/k/KEY\"\n"
                 "  }\n}"));
}

void ClientConfigTest::whatWeWroteGoesBehindThePassThrough_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    const QByteArray url = R"("ANTHROPIC_BASE_URL": "http://127.0.0.1:17421/k/KEY")";
    const QByteArray key = R"("ANTHROPIC_API_KEY": "headway")";
    const QByteArray model = R"("ANTHROPIC_MODEL": "gpt-5.5")";
    const QByteArray haiku = R"("ANTHROPIC_DEFAULT_HAIKU_MODEL": "gpt-mini")";
    const auto env = [](const QByteArray &members) {
        return QByteArray(R"({"a": 1, "env": {)" + members + "}}");
    };
    QTest::newRow("all that we wrote")
        << env(url + ", " + key + ", " + model + ", " + haiku) << env(url);
    QTest::newRow("in front") << env(key + ", " + model + ", " + url + R"(, "B": "2")")
                              << env(url + R"(, "B": "2")");
    QTest::newRow("between others")
        << env(R"("A": "1", )" + key + ", " + url + ", " + haiku + R"(, "B": "2")")
        << env(R"("A": "1", )" + url + R"(, "B": "2")");
    QTest::newRow("nothing but ours, and no address")
        << env(key + ", " + model) << env("\n    " + url + "\n  ");
    QTest::newRow("a key of one's own, and the models beside it")
        << env(url + R"(, "ANTHROPIC_API_KEY": "sk-ant-1", )" + model)
        << env(url + R"(, "ANTHROPIC_API_KEY": "sk-ant-1", )" + model);
    QTest::newRow("a model of one's own beside our key")
        << env(url + ", " + key + R"(, "ANTHROPIC_MODEL": "opus")")
        << env(url + R"(, "ANTHROPIC_MODEL": "opus")");
    QTest::newRow("a model without our key") << env(url + ", " + model) << env(url + ", " + model);
}

void ClientConfigTest::whatWeWroteGoesBehindThePassThrough()
{
    QFETCH(const QByteArray, before);
    QFETCH(const QByteArray, after);
    ClientSetupFacts passed = facts();
    passed.passThrough = true;
    const auto text = withClaudeEnvironment(before.toStdString(), passed);
    QVERIFY(text);
    QCOMPARE(QByteArray::fromStdString(*text), after);
    QVERIFY(!QJsonDocument::fromJson(after).isNull());
}

void ClientConfigTest::whatIsNoSettingsFileIsRefused_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("half") << QByteArray("{\"env\": {");
    QTest::newRow("a list") << QByteArray("[]");
    QTest::newRow("env is no object") << QByteArray("{\"env\": 1}");
    QTest::newRow("comments") << QByteArray("{} // mine");
}

void ClientConfigTest::whatIsNoSettingsFileIsRefused()
{
    QFETCH(const QByteArray, text);
    QVERIFY(!withClaudeEnvironment(text.toStdString(), facts()));
}

void ClientConfigTest::codexGetsItsProvider_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    const QByteArray top = "model_provider = \"headway\"\n";
    const QByteArray model = "model = \"gpt-5.5\"\n";
    const QByteArray provider = R"([model_providers.headway]
name = "Headway"
base_url = "http://127.0.0.1:17421/k/KEY/v1"
wire_api = "responses"
supports_websockets = true
)";
    QTest::newRow("no file") << QByteArray("") << QByteArray(top + model + "\n" + provider);
    QTest::newRow("another provider goes, its own model stays")
        << QByteArray("model = \"mine\"\nmodel_provider = 'azure' # work\napproval = \"never\"")
        << QByteArray(top + "model = \"mine\"\n# work\napproval = \"never\"\n\n" + provider);
    QTest::newRow("tables, comments and lists stay")
        << QByteArray(
               "# mine\nnotify = [\n  [\"a\", \"]\"], # [x]\n]\ntext = \"\"\"\n[model_provider"
               "s.headway]\nmodel_provider = 1\n\"\"\"\n[profiles.x]\nmodel = \"p\"\n"
               "model_provider = \"azure\"\n\n[model_providers.azure]\nname = \"A\"\n")
        << QByteArray(top + model
                      + "# mine\nnotify = [\n  [\"a\", \"]\"], # [x]\n]\ntext = \"\"\"\n[model_prov"
                        "iders.headway]\nmodel_provider = 1\n\"\"\"\n[profiles.x]\nmodel = \"p\"\n"
                        "model_provider = \"azure\"\n\n[model_providers.azure]\nname = \"A\"\n\n"
                      + provider);
    QTest::newRow("ours from before goes, with what is below it")
        << QByteArray("[ model_providers . \"headway\" ]\nname = \"old\"\nbase_url = 'x'\n"
                      "[model_providers.headway.http_headers]\na = \"b\"\n[tui]\nx = 1\n")
        << QByteArray(top + model + "[tui]\nx = 1\n\n" + provider);
    QTest::newRow("a quoted key with a dot is another's")
        << QByteArray("\"model_provider.s\" = 1\n[\"model_providers.headway\"]\nname = 'x'\n"
                      "[projects.\"C:\\\\work\"]\ntrust_level = \"trusted\"\n")
        << QByteArray(top + model
                      + "\"model_provider.s\" = 1\n[\"model_providers.headway\"]\nname = 'x'\n"
                        "[projects.\"C:\\\\work\"]\ntrust_level = \"trusted\"\n\n"
                      + provider);
    QTest::newRow("an escape in a key is read")
        << QByteArray("\"mod\\u0065l_provider\" = 'x'\n\"caf\\u00e9\\t\" = 1\n")
        << QByteArray(top + model + "\"caf\\u00e9\\t\" = 1\n\n" + provider);
    QTest::newRow("a quoted key of ours is ours")
        << QByteArray("\"model_provider\" = 'x'\n['model_providers'.headway]\nname = 'x'\n")
        << QByteArray(top + model + "\n" + provider);
    QTest::newRow("one that was given twice, which Codex does not take")
        << QByteArray("model_provider = 'x'\nmodel_provider = 'y'\n")
        << QByteArray(top + model + "\n" + provider);
    QTest::newRow("a byte order mark stays in front")
        << QByteArray("\xEF\xBB\xBF# x\n")
        << QByteArray("\xEF\xBB\xBF" + top + model + "# x\n\n" + provider);
}

void ClientConfigTest::codexGetsItsProvider()
{
    QFETCH(const QByteArray, before);
    QFETCH(const QByteArray, after);
    const auto text = withCodexProvider(before.toStdString(), facts());
    QVERIFY2(text, text ? "" : qPrintable(text.error()));
    QCOMPARE(QByteArray::fromStdString(*text), after);
}

void ClientConfigTest::codexIsToldWhetherSocketsAreTaken()
{
    ClientSetupFacts without = facts();
    without.sockets = false;
    const auto text = withCodexProvider("", without);
    QVERIFY(text);
    QVERIFY(text->ends_with("wire_api = \"responses\"\nsupports_websockets = false\n"));
    QVERIFY(codexSetup(without).endsWith(QLatin1String("\nsupports_websockets = false\n")));
    QVERIFY(codexSetup(facts()).endsWith(QLatin1String("\nsupports_websockets = true\n")));
}

void ClientConfigTest::codexIsWrittenTwiceAsOnce()
{
    const auto once = withCodexProvider("a = 1\n[t]\nb = 2\n", facts());
    QVERIFY(once);
    const auto twice = withCodexProvider(*once, facts());
    QVERIFY(twice);
    QCOMPARE(*twice, *once);
}

void ClientConfigTest::aProfileThatCountsMoreIsNamed_data()
{
    QTest::addColumn<QByteArray>("config");
    QTest::addColumn<QString>("says");
    const QString said = QStringLiteral(
        "Its profile \"work\" names the provider \"azure\", which counts more: take model_provider "
        "out of [profiles.work], or choose another profile");
    QTest::newRow("chosen") << QByteArray("profile = \"work\"\n[profiles.work]\nmodel = 'x'\n"
                                          "model_provider = 'azure' # mine\n")
                            << said;
    QTest::newRow("by dots") << QByteArray("profiles.work.model_provider = 'azure'\n"
                                           "profile = 'work'\n")
                             << said;
    QTest::newRow("not chosen") << QByteArray("[profiles.work]\nmodel_provider = 'azure'\n")
                                << QString();
    QTest::newRow("another is chosen")
        << QByteArray("profile = 'home'\n[profiles.work]\nmodel_provider = 'azure'\n") << QString();
    QTest::newRow("ours") << QByteArray(
        "profile = 'work'\n[profiles.work]\nmodel_provider = 'headway'\n")
                          << QString();
    QTest::newRow("no provider") << QByteArray("profile = 'work'\n[profiles.work]\nmodel = 'x'\n")
                                 << QString();
    const QString generic = QStringLiteral("It chooses a profile; where that names a provider, it "
                                           "counts more: take model_provider out "
                                           "of it, or choose another profile");
    QTest::newRow("inline") << QByteArray(
        "profile = 'w'\n[profiles]\nw = { model_provider = 'a' }\n")
                            << generic;
    QTest::newRow("all inline") << QByteArray(
        "profile = 'w'\nprofiles = { w = { model_provider = 'a' } }\n")
                                << generic;
    QTest::newRow("inline without one")
        << QByteArray("profile = 'w'\nprofiles.w = { model = 'a' }\n") << QString();
    QTest::newRow("a name over lines")
        << QByteArray("profile = \"\"\"w\"\"\"\n[profiles.w]\nmodel_provider = 'a'\n") << generic;
    QTest::newRow("ours with an escape")
        << QByteArray("profile = 'w'\n[profiles.w]\nmodel_provider = \"he\\u0061dway\"\n")
        << QString();
    QTest::newRow("no TOML") << QByteArray("profile = ") << QString();
}

void ClientConfigTest::aProfileThatCountsMoreIsNamed()
{
    QFETCH(const QByteArray, config);
    QFETCH(const QString, says);
    QCOMPARE(codexProfileInTheWay(config.toStdString()), says);
}

void ClientConfigTest::whatIsNoTomlIsRefused_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("a string without an end") << QByteArray("a = \"x\nb = 1\n");
    QTest::newRow("a long string without an end") << QByteArray("a = '''x\nb = 1\n");
    QTest::newRow("a list without an end") << QByteArray("a = [1,\nb = 1\n");
    QTest::newRow("a list that ends twice") << QByteArray("a = 1]\n");
    QTest::newRow("a heading without an end") << QByteArray("[a\nb = 1\n");
    QTest::newRow("no value") << QByteArray("a =\n");
    QTest::newRow("no key") << QByteArray("just words\n");
    QTest::newRow("something behind a heading") << QByteArray("[a] b = 1\n");
    QTest::newRow("an escape that is none") << QByteArray("\"mod\\x65l\" = 'x'\n");
    QTest::newRow("half an escape") << QByteArray("\"mod\\u00\" = 'x'\n");
    QTest::newRow("providers that are a list") << QByteArray("[[model_providers]]\nname = 'x'\n");
    QTest::newRow("a model that is a table") << QByteArray("[model]\nx = 1\n");
    QTest::newRow("a model with parts") << QByteArray("model.x = 1\n");
    QTest::newRow("a provider's name that is a list of tables")
        << QByteArray("[[model_provider]]\nx = 1\n");
    QTest::newRow("a key in two words") << QByteArray("a b = 1\n");
    QTest::newRow("a key of three quotes") << QByteArray("\"\"\"a\"\"\" = 1\n");
    QTest::newRow("a dot without a part") << QByteArray("a. = 1\n");
    QTest::newRow("providers in a line") << QByteArray("model_providers = { headway = {} }\n");
    QTest::newRow("ours in a line") << QByteArray("[model_providers]\nheadway = { name = 'x' }\n");
    QTest::newRow("ours by dots") << QByteArray("model_providers.headway.name = 'x'\n");
}

void ClientConfigTest::whatIsNoTomlIsRefused()
{
    QFETCH(const QByteArray, text);
    QVERIFY(!withCodexProvider(text.toStdString(), facts()));
}

void ClientConfigTest::aFileIsWrittenAndGivenBack()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("settings.json"));
    put(path, "theirs\n");
    const ClientFile file(path);
    QVERIFY(!file.canRestore());
    const auto written = file.write(appended);
    QVERIFY2(written, written ? "" : qPrintable(written.error()));
    QVERIFY2(written->contains(path + QStringLiteral(".before-headway")), qPrintable(*written));
    QCOMPARE(get(path), QByteArray("theirs\nours\n"));
    QCOMPARE(get(path + QStringLiteral(".before-headway")), QByteArray("theirs\n"));
    QVERIFY(isPrivate(path));
    QVERIFY(isPrivate(path + QStringLiteral(".before-headway")));
    QVERIFY(file.canRestore());
    put(path, "theirs\nours\nand later words\n");
    const auto restored = file.restore();
    QVERIFY2(restored, restored ? "" : qPrintable(restored.error()));
    QCOMPARE(get(path), QByteArray("theirs\n"));
    // What was written since is not lost either.
    QCOMPARE(get(path + QStringLiteral(".with-headway")),
             QByteArray("theirs\nours\nand later words\n"));
    QVERIFY(isPrivate(path + QStringLiteral(".with-headway")));
    QVERIFY(!file.canRestore());
}

void ClientConfigTest::aFileThatWasNotThereIsGoneAgain()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("new/folder/config.toml"));
    const ClientFile file(path);
    QVERIFY(file.write(appended));
    QCOMPARE(get(path), QByteArray("ours\n"));
    QVERIFY(file.restore());
    QVERIFY(!QFile::exists(path));
}

void ClientConfigTest::aSecondWriteKeepsTheFirstBackup()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("f"));
    put(path, "theirs\n");
    const ClientFile file(path);
    QVERIFY(file.write(appended));
    QVERIFY(file.write(appended));
    QCOMPARE(get(path), QByteArray("theirs\nours\nours\n"));
    QCOMPARE(get(path + QStringLiteral(".before-headway")), QByteArray("theirs\n"));
}

// What a person wrote between two writes, or two restores, is theirs.
void ClientConfigTest::nothingThatWasKeptIsOverwritten()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("f"));
    put(path, "theirs\n");
    const ClientFile file(path);
    QVERIFY(file.write(appended));
    put(path, "by hand\n");
    const auto again = file.write(appended);
    QVERIFY(again);
    const QString second = path + QStringLiteral(".before-headway-2");
    QVERIFY2(again->contains(second), qPrintable(*again));
    QCOMPARE(get(second), QByteArray("by hand\n"));
    QVERIFY(isPrivate(second));
    QVERIFY(file.restore());
    QCOMPARE(get(path), QByteArray("theirs\n"));
    QVERIFY(file.write(appended));
    put(path, "later\n");
    QVERIFY(file.restore());
    QCOMPARE(get(path), QByteArray("theirs\n"));
    QCOMPARE(get(path + QStringLiteral(".with-headway")), QByteArray("by hand\nours\n"));
    QCOMPARE(get(path + QStringLiteral(".with-headway-2")), QByteArray("later\n"));
}

void ClientConfigTest::aLinkThatLeadsNowhereIsLeft()
{
    const QTemporaryDir folder;
    const QString link = folder.filePath(QStringLiteral("f"));
    QVERIFY(QFile::link(folder.filePath(QStringLiteral("gone")), link));
    const auto written = ClientFile(link).write(appended);
    QVERIFY(!written);
    QVERIFY2(written.error().contains(link), qPrintable(written.error()));
    QVERIFY(QFileInfo(link).isSymLink());
}

void ClientConfigTest::aRefusedChangeLeavesTheFile()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("settings.json"));
    put(path, "{");
    const ClientFile file(path);
    const auto written
        = file.write([](std::string_view text) { return withClaudeEnvironment(text, facts()); });
    QVERIFY(!written);
    QVERIFY2(written.error().contains(path), qPrintable(written.error()));
    QVERIFY2(written.error().contains(QLatin1String("no JSON")), qPrintable(written.error()));
    QCOMPARE(get(path), QByteArray("{"));
    QVERIFY(!file.canRestore());
}

void ClientConfigTest::aFolderThatCannotBeWrittenIsSaid()
{
    const QTemporaryDir folder;
    put(folder.filePath(QStringLiteral("file")), "x");
    const ClientFile file(folder.filePath(QStringLiteral("file/settings.json")));
    const auto written = file.write(appended);
    QVERIFY(!written);
    QVERIFY2(written.error().contains(QLatin1String("nothing was changed")),
             qPrintable(written.error()));
    QCOMPARE(get(folder.filePath(QStringLiteral("file"))), QByteArray("x"));
}

void ClientConfigTest::aLinkStaysALink()
{
    const QTemporaryDir folder;
    const QString real = folder.filePath(QStringLiteral("dotfiles.toml"));
    const QString link = folder.filePath(QStringLiteral("config.toml"));
    put(real, "theirs\n");
    QVERIFY(QFile::link(real, link));
    const ClientFile file(link);
    QVERIFY(file.write(appended));
    QVERIFY(QFileInfo(link).isSymLink());
    QCOMPARE(get(real), QByteArray("theirs\nours\n"));
    QVERIFY(file.restore());
    QVERIFY(QFileInfo(link).isSymLink());
    QCOMPARE(get(real), QByteArray("theirs\n"));
}

QTEST_GUILESS_MAIN(ClientConfigTest)
#include "tst_clientconfig.moc"
