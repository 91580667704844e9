// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/base/random.h"
#include "proxy/core/dialects/imagesize.h"
#include "proxy/core/dialects/tokenestimate.h"
#include "tests/core/dialects/wire.h"

#include <QTest>

using namespace headway;
using namespace headway::dialects;

namespace {

// The counts in this file were made with o200k tokenizers: two that share no code agree on each.
constexpr double tolerance = 0.15;

// Random bytes, the same in every run.
QByteArray blob(int size)
{
    base::Random random(12345);
    QByteArray bytes;
    while (bytes.size() < size) {
        std::uint64_t word = random.next();
        for (int i = 0; i < 8; ++i) {
            bytes.append(static_cast<char>(word & 0xFFU));
            word >>= 8U;
        }
    }
    return bytes.left(size);
}

std::uint64_t counted(const QJsonObject &request)
{
    const auto tokens
        = countTokens(QJsonDocument(request).toJson(QJsonDocument::Compact).toStdString());
    return tokens.value_or(0);
}

QJsonObject requestWith(const QJsonValue &content)
{
    const QJsonObject message{{QLatin1String("role"), QLatin1String("user")},
                              {QLatin1String("content"), content}};
    return {{QLatin1String("model"), QLatin1String("m")},
            {QLatin1String("messages"), QJsonArray{message}}};
}

QJsonArray imageBlock(const QByteArray &data)
{
    return {
        QJsonObject{{QLatin1String("type"), QLatin1String("image")},
                    {QLatin1String("source"),
                     QJsonObject{{QLatin1String("type"), QLatin1String("base64")},
                                 {QLatin1String("media_type"), QLatin1String("image/png")},
                                 {QLatin1String("data"), QString::fromLatin1(data.toBase64())}}}}};
}

} // namespace

class TokenCountTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void comesWithinFifteenPercent_data();
    void comesWithinFifteenPercent();
    void countsToolCallsAndTheirResults();
    void countsToolsAndSystem();
    void countsImagesByTheirSize_data();
    void countsImagesByTheirSize();
    void samplesLongTextsAlike();
    void refusesWhatIsNotARequest_data();
    void refusesWhatIsNotARequest();
    void countsNothingAsLittle();
};

void TokenCountTest::comesWithinFifteenPercent_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("tokens");
    QTest::newRow("prose") << QByteArray(
        R"~(The first settlers reached the valley in late autumn, when the river was already low and the grass had turned brown. They built their houses from the stones that lay along the banks, and they covered the roofs with reeds. During the winter most of them fell ill, but a doctor who had travelled with the second group knew how to make a bitter tea from the bark of the willows, and nobody died. In spring they planted barley and beans. Because the soil was rich, the harvest was larger than anybody had expected; half of it was sold in the market town, two days away by cart. "We shall stay," said the oldest of the women, and nobody contradicted her.)~")
                           << 139;
    QTest::newRow("notes") << QByteArray(R"~(## What changed

* The queue is first in, first out; a waiter that leaves gives its place back.
* Retries: 5 by default (range 0-10), each after 2, 4, 8 ... seconds.
* See `design/notes.md`, section 3, for the formula: bound = min(15000, (idle - ladder) / 2 / (retries + 1)).
)~") << 90;
    QTest::newRow("code") << QByteArray(
        R"~(static bool readLengths(std::string_view text, std::vector<std::size_t> &lengths)
{
    while (!text.empty()) {
        std::size_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc{})
            return false;
        lengths.push_back(value);
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    }
    return true;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--help") == 0)
            return usage(argv[0]); // never returns
    }
    return 0;
}
)~") << 170;
    QTest::newRow("python") << QByteArray(R"~(import json
from pathlib import Path


class Config:
    """Settings of one run, read from a file."""

    def __init__(self, path: Path, *, strict: bool = False) -> None:
        self.path = path
        self.values = json.loads(path.read_text(encoding="utf-8"))
        if strict and "version" not in self.values:
            raise ValueError(f"{path}: no version")

    def get(self, key: str, default=None):
        return self.values.get(key, default)
)~") << 110;
    QTest::newRow("chinese") << QByteArray(
        R"~(人工智能正在迅速改变我们的生活方式。从智能手机上的语音助手到自动驾驶汽车,越来越多的产品开始依赖机器学习技术。许多专家认为,未来十年内,大部分重复性的办公室工作都可能被自动化取代。然而,也有人担心这种变化会带来失业和社会不平等。为了应对这些挑战,政府需要加强教育投入,帮助人们学习新的技能。与此同时,企业也应该承担起社会责任,在追求利润的同时关注员工的发展。昨天下午,我和朋友在咖啡馆讨论了这个话题,他说他的公司最近引进了一套新系统,可以自动处理客户的邮件和订单。他觉得效率提高了不少,但是同事之间的交流却变少了。)~")
                             << 168;
    QTest::newRow("chinese, traditional") << QByteArray(
        R"~(人工智慧正在迅速改變我們的生活方式。從智慧型手機上的語音助理到自動駕駛汽車,越來越多的產品開始依賴機器學習技術。許多專家認為,未來十年內,大部分重複性的辦公室工作都可能被自動化取代。然而,也有人擔心這種變化會帶來失業和社會不平等。為了應對這些挑戰,政府需要加強教育投入,幫助人們學習新的技能。昨天下午,我和朋友在咖啡館討論了這個話題,他說他的公司最近引進了一套新系統,可以自動處理客戶的郵件和訂單。他覺得效率提高了不少,但是同事之間的交流卻變少了。)~")
                                          << 196;
    QTest::newRow("japanese") << QByteArray(
        R"~(昨日は朝から雨が降っていたので、家でゆっくり本を読んでいました。最近、友達に勧められた小説がとても面白くて、気がつくともう夕方になっていました。夕食には、冷蔵庫に残っていた野菜を使ってカレーを作りました。明日は天気が良くなるそうなので、久しぶりに公園まで散歩に行こうと思っています。プログラムの設定を変更する場合は、まず画面の右上にあるメニューボタンを押してください。次に「設定」を選択すると、新しいウィンドウが開きます。変更を保存しないで閉じると、すべての入力内容が失われますのでご注意ください。)~")
                              << 180;
    QTest::newRow("korean") << QByteArray(
        R"~(어제는 아침부터 비가 내려서 집에서 천천히 책을 읽었습니다. 최근에 친구가 추천해 준 소설이 너무 재미있어서 정신을 차려 보니 벌써 저녁이 되어 있었습니다. 저녁 식사로는 냉장고에 남아 있던 채소로 카레를 만들었습니다. 내일은 날씨가 좋아진다고 하니 오랜만에 공원으로 산책을 가려고 합니다. 프로그램 설정을 변경하려면 먼저 화면 오른쪽 위에 있는 메뉴 버튼을 누르십시오.)~")
                            << 118;
    QTest::newRow("base64") << blob(6000).toBase64() << 5506;
    QTest::newRow("hexadecimal") << blob(3000).toHex() << 3419;
}

void TokenCountTest::comesWithinFifteenPercent()
{
    QFETCH(const QByteArray, text);
    QFETCH(const int, tokens);
    const double direct = estimateTokens(text.toStdString());
    QVERIFY2(std::abs(direct - tokens) <= tolerance * tokens, qPrintable(QString::number(direct)));
    // Ten of them in a request, through the door.
    QString many;
    for (int i = 0; i < 10; ++i)
        many += QString::fromUtf8(text) + QLatin1Char('\n');
    const auto whole = static_cast<double>(counted(requestWith(many)));
    QVERIFY2(std::abs(whole - 10 * tokens) <= tolerance * 10 * tokens,
             qPrintable(QString::number(whole)));
}

// B80
void TokenCountTest::countsToolCallsAndTheirResults()
{
    QString text;
    while (text.size() < 40 * 1024)
        text += QLatin1String("The harvest was larger than anybody had expected. ");
    const std::string body
        = R"({"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"R","input":{"f":"/a"}}]},)"
          R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":")"
        + text.toStdString() + R"("}]}]})";
    const auto tokens = countTokens(body);
    QVERIFY(tokens);
    QVERIFY(*tokens > 5000 && *tokens < 12000);
}

void TokenCountTest::countsToolsAndSystem()
{
    QJsonObject request = requestWith(QLatin1String("hi"));
    const std::uint64_t plain = counted(request);
    request[QLatin1String("system")]
        = QString(QLatin1String("one two three four five ")).repeated(20);
    const std::uint64_t withSystem = counted(request);
    QVERIFY(withSystem > plain + 85 && withSystem < plain + 115); // 100 words
    request[QLatin1String("tools")] = QJsonArray{wire::object(
        R"({"name":"t","description":"d","input_schema":{"type":"object","properties":{"a":{"type":"string"}}}})")};
    QVERIFY(counted(request) > withSystem + 15);
}

void TokenCountTest::countsImagesByTheirSize_data()
{
    QTest::addColumn<QByteArray>("data");
    QTest::addColumn<int>("width"); // 0: unknown
    QTest::addColumn<int>("height");
    const auto row = [](const char *name, const char *hex, int width, int height) {
        QTest::newRow(name) << QByteArray::fromHex(hex) << width << height;
    };
    row("PNG", "89504e470d0a1a0a0000000d4948445200000320000002580802000000", 800, 600);
    row("GIF", "47494638396120035802f70000", 800, 600);
    row("JPEG", "ffd8ffe000104a46494600010100000100010000ffc0001108025803200301220002110103110100",
        800, 600);
    row("WebP, lossy", "524946460000000057454250565038200000000030010 09d012a20035802", 800, 600);
    row("WebP, extended", "5249464600000000574542505650385800000000100000001f0300570200", 800, 600);
    row("JPEG, cut", "ffd8ffe000104a46", 0, 0);
    row("something else", "00112233445566778899", 0, 0);
    row("nothing", "", 0, 0);
}

void TokenCountTest::countsImagesByTheirSize()
{
    QFETCH(const QByteArray, data);
    QFETCH(const int, width);
    QFETCH(const int, height);
    const auto size = imageSize(data.toBase64().toStdString());
    QCOMPARE(size.has_value(), width > 0);
    const auto tokens = static_cast<int>(counted(requestWith(imageBlock(data))));
    if (size) {
        QCOMPARE(static_cast<int>(size->first), width);
        QCOMPARE(static_cast<int>(size->second), height);
        QVERIFY(tokens >= 640 && tokens <= 660); // 800 x 600 / 750
    } else {
        QVERIFY(tokens >= 1500); // at its dearest
    }
}

void TokenCountTest::samplesLongTextsAlike()
{
    const QString text
        = QString(QLatin1String(
                      "for (int i = 0; i < size; ++i) { total += values[i]; } // sum of all\n"))
              .repeated(4000);
    const QJsonObject request = requestWith(text);
    const auto exact = static_cast<double>(counted(request));
    const auto turn
        = wire::read(wire::messagesBody({},
                                        QJsonDocument(request[QLatin1String("messages")].toArray())
                                            .toJson(QJsonDocument::Compact)
                                            .toStdString()));
    QVERIFY(turn);
    QVERIFY(std::abs(static_cast<double>(turn->estimatedInputTokens) - exact) < 0.1 * exact);
}

void TokenCountTest::refusesWhatIsNotARequest_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("cut") << QByteArray(R"({"messages":[)");
    QTest::newRow("array") << QByteArray("[]");
    QTest::newRow("no messages") << QByteArray("{}");
}

void TokenCountTest::refusesWhatIsNotARequest()
{
    QFETCH(const QByteArray, body);
    const auto tokens = countTokens(body.toStdString());
    QVERIFY(!tokens);
    QCOMPARE(tokens.error().kind, ErrorKind::InvalidRequest);
}

void TokenCountTest::countsNothingAsLittle()
{
    QCOMPARE(estimateTokens(""), 0.0);
    QVERIFY(countTokens(R"({"messages":[]})").value_or(99) < 10);
    // Cut inside a sequence: no tokenizer's business, but no fault either.
    QVERIFY(estimateTokens("\xE4\xB8") < 5);
}

QTEST_APPLESS_MAIN(TokenCountTest)
#include "tst_tokencount.moc"
