// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/dialects/messages/blocks.h"

namespace headway::dialects {

namespace {

using json::Value;

std::string dataUrl(const Value &source, std::string_view mediaFallback)
{
    const std::string_view media = source["media_type"].body();
    std::string url = "\"data:";
    url += media.empty() ? mediaFallback : media;
    url += ";base64,";
    url += source["data"].body();
    url += '"';
    return url;
}

// The provider knows nothing of files stored with another one; saying so beats a refused turn.
void addMissingFile(Parts &parts, const Value &source)
{
    std::string text = "[file ";
    text += source["file_id"].body();
    text += " is stored elsewhere and cannot be shown]";
    addText(parts, text);
}

void addImage(Parts &parts, const Value &source)
{
    std::string part = R"({"type":"input_image","image_url":)";
    if (source["type"].is("base64")) {
        part += dataUrl(source, "image/png");
    } else if (source["type"].is("url") && source["url"].isString()) {
        part += source["url"].raw();
    } else {
        addMissingFile(parts, source);
        return;
    }
    part += R"(,"detail":"auto"})";
    addPart(parts, part);
}

void addFile(Parts &parts, const Value &block, std::string_view member, std::string_view value)
{
    std::string part = R"({"type":"input_file",)";
    const Value title = block["title"];
    if (member == "file_data") { // a name is required beside the data
        part += "\"filename\":";
        part += title.isString() && !title.body().empty() ? title.raw()
                                                          : std::string_view("\"document.pdf\"");
        part += ',';
    }
    part += '"';
    part += member;
    part += "\":";
    part += value;
    part += '}';
    addPart(parts, part);
}

void addDocument(Parts &parts, const Value &block)
{
    const Value source = block["source"];
    if (block["context"].isString())
        addText(parts, block["context"].body());
    if (source["type"].is("text"))
        addText(parts, source["data"].body());
    else if (source["type"].is("base64"))
        addFile(parts, block, "file_data", dataUrl(source, "application/pdf"));
    else if (source["type"].is("url") && source["url"].isString())
        addFile(parts, block, "file_url", source["url"].raw());
    else if (source["type"].is("content"))
        addContent(parts, source["content"]);
    else
        addMissingFile(parts, source);
}

void addSearchResult(Parts &parts, const Value &block)
{
    std::string heading;
    for (const std::string_view member : {"title", "source"}) {
        if (block[member].body().empty())
            continue;
        heading += heading.empty() ? "" : " - ";
        heading += block[member].body();
    }
    addText(parts, heading);
    addContent(parts, block["content"]);
}

void addPlainBlock(Parts &parts, const Value &block)
{
    const Value type = block["type"];
    if (type.is("text")) {
        addText(parts, block["text"].body());
    } else if (type.is("image")) {
        addImage(parts, block["source"]);
    } else if (type.is("document")) {
        addDocument(parts, block);
    } else if (type.is("search_result")) {
        addSearchResult(parts, block);
    } else if (type.is("tool_reference")) {
        std::string text = "[tool loaded: ";
        text += block["tool_name"].body();
        text += ']';
        addText(parts, text);
    }
}

} // namespace

void addBlock(Parts &parts, json::Value block)
{
    addPlainBlock(parts, block);
    markCache(parts, block);
}

void addContent(Parts &parts, json::Value content)
{
    if (content.isString())
        addText(parts, content.body());
    else if (content.isArray())
        for (const Value &block : content)
            addBlock(parts, block);
}

} // namespace headway::dialects
