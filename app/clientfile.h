// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace headway::app {

// A client's own configuration, which a person has us change, and give back as it was. Whatever is
// replaced is kept beside it; all of it 0600 (spec/safety.md). Messages say what happened, what it
// means and what to do.
class ClientFile final
{
public:
    using Change = std::function<tl::expected<std::string, QString>(std::string_view text)>;

    explicit ClientFile(QString path);

    [[nodiscard]] const QString &path() const { return m_path; }
    [[nodiscard]] bool canRestore() const; // it was changed, and what was before is kept

    // What was done, in words.
    [[nodiscard]] tl::expected<QString, QString> write(const Change &change) const;
    [[nodiscard]] tl::expected<QString, QString> restore() const;

private:
    [[nodiscard]] QString target() const; // where a link leads
    [[nodiscard]] QString backup() const; // how it was before us

    QString m_path;
};

// ~/.claude/settings.json and ~/.codex/config.toml, wherever the clients themselves look for them.
[[nodiscard]] QString claudeConfigPath();
[[nodiscard]] QString codexConfigPath();

} // namespace headway::app
