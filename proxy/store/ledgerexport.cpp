// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/store/ledgerexport.h"

#include "proxy/core/ledger/csv.h"
#include "proxy/core/ledger/jsonl.h"
#include "proxy/store/exportfile.h"
#include "proxy/store/ledgerreader.h"
#include "proxy/store/ledgerschema.h"
#include "proxy/store/ledgersnapshot.h"
#include "proxy/store/privatefile.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace headway::store {

namespace {

constexpr quint64 recordsPerProgress = 4'096;

QString nameOf(const ledger::Kind &kind)
{
    return QString::fromLatin1(kind.name.data(), static_cast<qsizetype>(kind.name.size()));
}

// One file for all kinds, or one per kind.
class Export final
{
public:
    explicit Export(const ExportRequest &request)
        : m_request(request)
    {
    }

    tl::expected<ExportResult, StoreError> run();

private:
    tl::expected<void, StoreError> createFiles();
    tl::expected<void, StoreError> createCsvFiles(const std::vector<std::size_t> &kinds);
    tl::expected<void, StoreError> create(const QString &path);
    tl::expected<void, StoreError> copy(const LedgerReader &reader);
    tl::expected<void, StoreError> append(const LedgerCursor &cursor);
    tl::expected<void, StoreError> report(double share);

    const ExportRequest &m_request;
    std::vector<ExportFile> m_files;
    std::vector<std::size_t> m_fileOfKind; // by place in ledger::kinds()
    ExportResult m_result;
};

tl::expected<ExportResult, StoreError> Export::run()
{
    const auto reader = LedgerReader::open(m_request.path);
    if (!reader)
        return tl::unexpected(reader.error());
    if (auto created = createFiles(); !created)
        return tl::unexpected(created.error());
    if (auto copied = copy(*reader); !copied)
        return tl::unexpected(copied.error());
    for (ExportFile &file : m_files) {
        if (auto whole = file.commit(); !whole)
            return tl::unexpected(whole.error());
        m_result.files += file.path();
    }
    return m_result;
}

tl::expected<void, StoreError> Export::createFiles()
{
    const std::size_t all = ledger::kinds().size();
    m_fileOfKind.assign(all, 0);
    if (m_request.format == ExportFormat::JsonLines)
        return create(m_request.out);
    std::vector<std::size_t> kinds = m_request.span.kinds;
    if (kinds.empty()) {
        for (std::size_t i = 0; i < all; ++i)
            kinds.push_back(i);
    }
    return createCsvFiles(kinds);
}

tl::expected<void, StoreError> Export::createCsvFiles(const std::vector<std::size_t> &kinds)
{
    const QString &out = m_request.out;
    const bool isFile = out.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive);
    const bool isOutput = out == QLatin1String("-");
    if (isOutput && kinds.size() > 1) {
        return tl::unexpected(StoreError{
            StoreError::Code::Invalid,
            QStringLiteral("CSV is one file per kind: standard output takes one kind only")});
    }
    if (!isFile && !isOutput && !makePrivateFolderOf(QDir(out).filePath(QStringLiteral("any")))) {
        return tl::unexpected(StoreError{StoreError::Code::CannotOpen,
                                         QStringLiteral("the folder %1 cannot be made").arg(out)});
    }
    for (const std::size_t i : kinds) {
        const ledger::Kind &kind = ledger::kinds()[i];
        QString path = out;
        if (isFile && kinds.size() > 1)
            path = out.chopped(4) + u'-' + nameOf(kind) + QLatin1String(".csv");
        else if (!isFile && !isOutput)
            path = QDir(out).filePath(nameOf(kind) + QLatin1String(".csv"));
        m_fileOfKind[i] = m_files.size();
        if (auto created = create(path); !created)
            return created;
        ledger::appendCsvHeader(m_files.back().buffer(), kind);
    }
    return {};
}

tl::expected<void, StoreError> Export::create(const QString &path)
{
    auto file = ExportFile::create(path);
    if (!file)
        return tl::unexpected(file.error());
    m_files.push_back(std::move(*file));
    return {};
}

tl::expected<void, StoreError> Export::copy(const LedgerReader &reader)
{
    const auto first = firstSeq(reader.connection());
    const auto last = lastSeq(reader.connection());
    auto cursor = reader.records(m_request.span);
    if (!first || !last || !cursor)
        return tl::unexpected(!first ? first.error() : !last ? last.error() : cursor.error());
    const double span = std::max(1.0, static_cast<double>(*last - *first + 1));
    for (;;) {
        const auto more = cursor->next();
        if (!more)
            return tl::unexpected(more.error());
        if (!*more)
            return report(1);
        if (auto appended = append(*cursor); !appended)
            return appended;
        if (++m_result.records % recordsPerProgress != 0)
            continue;
        if (auto wanted = report(static_cast<double>(cursor->seq() - *first) / span); !wanted)
            return wanted;
    }
}

tl::expected<void, StoreError> Export::append(const LedgerCursor &cursor)
{
    const auto kind = static_cast<std::size_t>(&cursor.kind() - ledger::kinds().data());
    ExportFile &file = m_files[m_fileOfKind[kind]];
    if (m_request.format == ExportFormat::Csv)
        ledger::appendCsvRow(file.buffer(), cursor.cells());
    else
        ledger::appendJsonLine(file.buffer(), cursor.kind(), cursor.cells());
    return file.writeIfLarge();
}

tl::expected<void, StoreError> Export::report(double share)
{
    if (!m_request.progress || m_request.progress(m_result.records, share))
        return {};
    return tl::unexpected(
        StoreError{StoreError::Code::Cancelled, QStringLiteral("the export was cancelled")});
}

} // namespace

std::optional<ExportFormat> exportFormatNamed(const QString &name)
{
    if (name == QLatin1String("csv"))
        return ExportFormat::Csv;
    if (name == QLatin1String("jsonl"))
        return ExportFormat::JsonLines;
    if (name == QLatin1String("sqlite"))
        return ExportFormat::Sqlite;
    return std::nullopt;
}

tl::expected<ExportResult, StoreError> exportLedger(const ExportRequest &request)
{
    return request.format == ExportFormat::Sqlite ? exportLedgerFile(request)
                                                  : Export(request).run();
}

} // namespace headway::store
