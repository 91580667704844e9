// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/signindialog.h"

#include "ui/format/appearance.h"

#include <QClipboard>
#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QUrl>
#include <QVBoxLayout>

namespace headway::ui {

namespace {

using Phase = SignInStep::Phase;

QLabel *wrapped(const QString &name, QWidget *parent)
{
    auto *label = new QLabel(parent);
    label->setObjectName(name);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setMinimumWidth(label->fontMetrics().averageCharWidth() * 52);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

} // namespace

SignInDialog::SignInDialog(QWidget *parent)
    : QDialog(parent)
    , m_text(wrapped(QStringLiteral("sign_in_text"), this))
    , m_code(wrapped(QStringLiteral("sign_in_code"), this))
    , m_note(wrapped(QStringLiteral("sign_in_note"), this))
{
    setObjectName(QStringLiteral("sign_in_dialog"));
    setWindowTitle(tr("Sign in to the ChatGPT plan"));
    m_text->setAccessibleName(tr("How the sign-in stands"));
    m_code->setAccessibleName(tr("Code"));
    m_note->setAccessibleName(tr("What comes next"));
    m_code->setFont(bolder(larger(m_code->font(), 1.8)));
    m_code->setAlignment(Qt::AlignCenter);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    const auto add = [buttons](const QString &words, const QString &name) {
        QPushButton *button = buttons->addButton(words, QDialogButtonBox::ActionRole);
        button->setObjectName(name);
        button->setAccessibleName(words);
        return button;
    };
    m_page = add(tr("Open the page"), QStringLiteral("sign_in_page"));
    m_copy = add(tr("Copy the code"), QStringLiteral("sign_in_copy"));
    m_again = add(tr("Try again"), QStringLiteral("sign_in_again"));
    connect(m_page, &QPushButton::clicked, this, &SignInDialog::openPage);
    connect(m_copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_step.code); });
    connect(m_again, &QPushButton::clicked, this, &SignInDialog::againRequested);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *layout = new QVBoxLayout(this);
    for (QLabel *label : {m_text, m_code, m_note})
        layout->addWidget(label);
    layout->addWidget(buttons);
    showStep(SignInStep{});
}

void SignInDialog::showStep(const SignInStep &step)
{
    m_step = step;
    const bool isWaiting = step.phase == Phase::Waiting;
    const bool isFailed = step.phase == Phase::Failed;
    if (isWaiting)
        m_text->setText(
            tr("Open %1 in a browser, sign in there and enter this code:").arg(step.page));
    else if (isFailed)
        m_text->setText(tr("There was no sign-in: %1").arg(step.reason));
    else
        m_text->setText(tr("Asking the sign-in server for a code …"));
    m_code->setText(step.code);
    m_note->setText(isWaiting ? tr("The code is good for %n minute(s). Headway waits for it and "
                                   "goes on by itself.",
                                   nullptr, step.minutes)
                        : isFailed
                        ? tr("Nothing was changed. Try again, or run \"headway login chatgpt\".")
                        : QString());
    m_code->setVisible(isWaiting);
    m_note->setVisible(isWaiting || isFailed);
    m_page->setVisible(isWaiting);
    m_copy->setVisible(isWaiting);
    m_again->setVisible(isFailed);
    if (isWaiting)
        m_page->setDefault(true);
    else if (isFailed)
        m_again->setDefault(true);
}

void SignInDialog::openPage()
{
    QDesktopServices::openUrl(QUrl(m_step.page));
}

} // namespace headway::ui
