// SPDX-License-Identifier: GPL-3.0-or-later
// The JSON reader against simdjson's DOM, which shares no code with it: both accept the same texts
// and read the same values.
#include "proxy/core/json/document.h"
#include "proxy/core/json/quote.h"
#include "tests/fuzz/require.h"

#include <simdjson.h>

using namespace headway;

namespace {

void compare(const json::Value &ours, simdjson::dom::element theirs)
{
    using simdjson::dom::element_type;
    switch (theirs.type()) {
    case element_type::OBJECT: {
        REQUIRE(ours.isObject());
        json::Value member = ours.first();
        const simdjson::dom::object object = theirs.get_object().value_unsafe();
        for (const auto [key, value] : object) {
            REQUIRE(member.exists() && member.key() == key && member.keyIs(key));
            compare(member, value);
            member = member.next();
        }
        REQUIRE(!member.exists());
        break;
    }
    case element_type::ARRAY: {
        REQUIRE(ours.isArray());
        json::Value item = ours.first();
        const simdjson::dom::array array = theirs.get_array().value_unsafe();
        for (const simdjson::dom::element value : array) {
            REQUIRE(item.exists());
            compare(item, value);
            item = item.next();
        }
        REQUIRE(!item.exists());
        break;
    }
    case element_type::STRING: {
        const std::string_view text = theirs.get_string().value_unsafe();
        REQUIRE(ours.isString() && ours.text() == text && ours.is(text));
        break;
    }
    case element_type::INT64:
        REQUIRE(ours.integer() == theirs.get_int64().value_unsafe());
        break;
    case element_type::BOOL:
        REQUIRE(ours.boolean() == theirs.get_bool().value_unsafe());
        break;
    case element_type::NULL_VALUE:
        REQUIRE(ours.isNull());
        break;
    default: // beyond 64 bits or with a fraction
        REQUIRE(ours.number() == theirs.get_double().value_unsafe());
    }
}

} // namespace

int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char *>(data), size);
    json::Document document;
    const auto fault = document.read(text);
    simdjson::dom::parser parser;
    REQUIRE(parser.allocate(size + 1, json::depthLimit) == simdjson::SUCCESS);
    simdjson::dom::element theirs;
    const simdjson::error_code error = parser.parse(text).get(theirs);
    if (fault) {
        REQUIRE(fault->offset <= size);
        // It knows no number beyond a double and refuses what stands at its own limit of depth.
        REQUIRE(error != simdjson::SUCCESS || fault->what.find("deep") != std::string_view::npos);
    } else if (error != simdjson::NUMBER_ERROR && error != simdjson::DEPTH_ERROR) {
        // Half of a surrogate pair is a fault to simdjson and passed on as it is by us.
        if (error == simdjson::STRING_ERROR && text.find("\\u") != std::string::npos)
            return 0;
        REQUIRE(error == simdjson::SUCCESS);
        compare(document.root(), theirs);
    }
    if (simdjson::validate_utf8(text)) {
        const std::string literal = json::literal(text);
        REQUIRE(!document.read(literal) && document.root().text() == text);
    }
    return 0;
}
