// SPDX-License-Identifier: GPL-3.0-or-later
// Presets as values, and what the window keeps of them in its file.
#include "proxy/core/settings/settings.h"
#include "ui/models/presets.h"
#include "ui/models/windowstate.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace headway;
using namespace headway::ui;

class PresetsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyBuiltInValueIsOneTheSettingTakesUnchanged();
    void theDefaultPresetIsTheSpecifiedDefaults();
    void aPresetHoldsNothingOfThisMachine();
    void aStoredPresetComesBackTheSame();
    void whatASettingRefusesIsLeftOutOfAStoredPreset();
    void savedPresetsOutliveTheWindow();
    void aNameMayContainWhatAPathMayNot();
    void aRemovedPresetIsGone();
    void aDamagedFileGivesNoPresets();
};

void PresetsTest::everyBuiltInValueIsOneTheSettingTakesUnchanged()
{
    for (const Preset &preset : builtInPresets()) {
        for (auto value = preset.values.begin(); value != preset.values.end(); ++value) {
            const auto key = settings::find(value.key().toStdString());
            QVERIFY2(key, qPrintable(value.key()));
            settings::Settings settings;
            const auto outcome
                = settings.set(settings::Source::Window, *key, value.value().toStdString());
            QVERIFY2(outcome.accepted && !outcome.notice, qPrintable(value.key()));
        }
        QVERIFY(preset.isBuiltIn);
        QVERIFY(!preset.words.isEmpty());
    }
}

// spec/pacing.md sections 1, 3, 4 and 5, spec/cli.md.
void PresetsTest::theDefaultPresetIsTheSpecifiedDefaults()
{
    const QMap<QString, QString> expected{
        {QStringLiteral("policy"), QStringLiteral("auto")},
        {QStringLiteral("rate_per_min"), QStringLiteral("60")},
        {QStringLiteral("rate_pinned"), QStringLiteral("false")},
        {QStringLiteral("burst"), QStringLiteral("10")},
        {QStringLiteral("spacing_floor_ms"), QStringLiteral("0")},
        {QStringLiteral("idle_ms"), QStringLiteral("120000")},
        {QStringLiteral("total_ms"), QStringLiteral("600000")},
        {QStringLiteral("retries"), QStringLiteral("5")},
        {QStringLiteral("token_floor"), QStringLiteral("35000")},
        {QStringLiteral("max_wait_interactive_ms"), QStringLiteral("5000")},
        {QStringLiteral("max_wait_batch_ms"), QStringLiteral("65000")},
        {QStringLiteral("lanes"), QStringLiteral("auto")},
        {QStringLiteral("spares"), QStringLiteral("0")}};
    const std::vector<Preset> presets = builtInPresets();
    QCOMPARE(presets.size(), std::size_t{3});
    QCOMPARE(presets.at(1).values, expected);
}

void PresetsTest::aPresetHoldsNothingOfThisMachine()
{
    for (const char *key : {"listen", "upstream", "ledger", "access_key", "control_key",
                            "upstream_key", "memory_mib", "log_level"})
        QVERIFY2(!presetKeys().contains(QLatin1String(key)), key);
}

void PresetsTest::aStoredPresetComesBackTheSame()
{
    const Preset preset = presetOf(QStringLiteral("night run"),
                                   {{"rate_per_min", {"12", "window", false}},
                                    {"policy", {"auto", "file", false}},
                                    {"listen", {"127.0.0.1:1", "file", false}}});
    QCOMPARE(preset.values.size(), 2);
    QCOMPARE(presetFrom(preset.name, storedPreset(preset)), preset);
}

void PresetsTest::whatASettingRefusesIsLeftOutOfAStoredPreset()
{
    const Preset preset = presetFrom(
        QStringLiteral("odd"),
        QStringLiteral("rate_per_min=fast;burst=7;policy=maybe;upstream_key=x;nonsense;=;retries"));
    QCOMPARE(preset.values,
             (QMap<QString, QString>{{QStringLiteral("burst"), QStringLiteral("7")}}));
}

void PresetsTest::savedPresetsOutliveTheWindow()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("window.ini"));
    const Preset preset{
        QStringLiteral("mine"), {}, {{QStringLiteral("burst"), QStringLiteral("7")}}, false};
    WindowState(path).savePreset(preset);
    QCOMPARE(WindowState(path).presets(), std::vector<Preset>{preset});
}

void PresetsTest::aNameMayContainWhatAPathMayNot()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("window.ini"));
    Preset preset{QStringLiteral("a/b%c; [d] = ü"),
                  {},
                  {{QStringLiteral("burst"), QStringLiteral("7")}},
                  false};
    WindowState(path).savePreset(preset);
    QCOMPARE(WindowState(path).presets(), std::vector<Preset>{preset});
}

void PresetsTest::aRemovedPresetIsGone()
{
    WindowState state; // without a file
    state.savePreset({QStringLiteral("one"), {}, {{QStringLiteral("burst"), QStringLiteral("1")}}});
    state.savePreset({QStringLiteral("two"), {}, {{QStringLiteral("burst"), QStringLiteral("2")}}});
    state.removePreset(QStringLiteral("one"));
    QCOMPARE(state.presets().size(), std::size_t{1});
    QCOMPARE(state.presets().front().name, QStringLiteral("two"));
}

void PresetsTest::aDamagedFileGivesNoPresets()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("window.ini"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray("[presets]\nx=\"rate_per_min=\n\x00\xff garbage \n[pre", 44));
    file.close();
    QVERIFY(WindowState(path).presets().empty());
}

QTEST_MAIN(PresetsTest)
#include "tst_presets.moc"
