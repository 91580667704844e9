// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/ceilingfile.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace headway;
using namespace std::chrono_literals;
using pacing::CeilingEstimate;
using pacing::CeilingShape;
using store::CeilingFile;

class CeilingFileTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void keepsEachAccountsEstimateOverARestart();
    void isPrivate();
    void holdsNothingWhenTheFileIsNoneOfOurs_data();
    void holdsNothingWhenTheFileIsNoneOfOurs();
    void boundsWhatSomebodyWroteIntoIt();
    void goesOnInMemoryWhereItCannotWrite();
};

namespace {

CeilingEstimate window(double perMinute)
{
    return {.shape = CeilingShape::Window,
            .perMinute = perMinute,
            .confidence = 0.75,
            .measuredAt = base::WallTime{1'790'000'000'123ms}};
}

void write(const QString &path, const QByteArray &text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

} // namespace

void CeilingFileTest::keepsEachAccountsEstimateOverARestart()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a/ceilings.json"));
    const CeilingEstimate rate{.shape = CeilingShape::Rate,
                               .perMinute = 12.5,
                               .spacing = 4'800ms,
                               .confidence = 0.5,
                               .measuredAt = base::WallTime{1ms}};
    const CeilingEstimate cap{.shape = CeilingShape::Cap,
                              .socketCap = 24,
                              .confidence = 1,
                              .measuredAt = base::WallTime{2ms}};
    {
        CeilingFile file(path);
        QVERIFY(file.keep("one", window(70)));
        QVERIFY(file.keep("two", rate));
        QVERIFY(file.keep("three", cap));
        QVERIFY(file.keep("one", window(71)));
    }
    const CeilingFile file(path);
    QVERIFY(file.of("one") == window(71));
    QVERIFY(file.of("two") == rate);
    QVERIFY(file.of("three") == cap);
    QVERIFY(!file.of("four"));
}

void CeilingFileTest::isPrivate()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("ceilings.json"));
    QVERIFY(CeilingFile(path).keep("one", window(70)));
    const auto others = QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther;
    QVERIFY(!(QFile::permissions(path) & others));
}

void CeilingFileTest::holdsNothingWhenTheFileIsNoneOfOurs_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("no JSON") << QByteArray("[{\"account\":");
    QTest::newRow("an object") << QByteArray(R"({"account":"one","shape":"window"})");
    QTest::newRow("no shape") << QByteArray(R"([{"account":"one","per_min":3}])");
    QTest::newRow("a shape nobody knows")
        << QByteArray(R"([{"account":"one","shape":"cone","per_min":3}])");
    QTest::newRow("other types") << QByteArray(R"([1,"a",null,[],{"account":1,"shape":2}])");
}

void CeilingFileTest::holdsNothingWhenTheFileIsNoneOfOurs()
{
    QFETCH(QByteArray, text);
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("ceilings.json"));
    write(path, text);
    QVERIFY(!CeilingFile(path).of("one"));
}

void CeilingFileTest::boundsWhatSomebodyWroteIntoIt()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("ceilings.json"));
    write(path,
          R"([{"account":"one","shape":"rate","per_min":-4,"spacing_ms":1e300,"sockets":"many",)"
          R"("confidence":7,"measured_ms":-1}])");
    const auto estimate = CeilingFile(path).of("one");
    QVERIFY(estimate);
    QCOMPARE(estimate->perMinute, 0.0);
    QVERIFY(estimate->spacing == 1h);
    QCOMPARE(estimate->socketCap, std::size_t(0));
    QCOMPARE(estimate->confidence, 1.0);
    QVERIFY(estimate->measuredAt == base::WallTime{});
}

void CeilingFileTest::goesOnInMemoryWhereItCannotWrite()
{
    CeilingFile file(QStringLiteral("/proc/nothing/ceilings.json"));
    QVERIFY(!file.keep("one", window(70)));
    QVERIFY(file.of("one") == window(70));
}

QTEST_GUILESS_MAIN(CeilingFileTest)
#include "tst_ceilingfile.moc"
