// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxy/core/heads/schemareader.h"

#include "proxy/core/heads/itemshape.h"

#include <algorithm>

namespace headway::heads {

namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

constexpr int mostVisits = 64; // of schemas, to find out what one property may be
constexpr int deepest = 32;
constexpr std::size_t mostSchemas = 16'384; // of one `tools` array
constexpr std::uint8_t anything = 0x80; // strings are welcome: nothing is retyped

std::uint8_t scalarOf(std::string_view type)
{
    if (type == "number")
        return static_cast<std::uint8_t>(Scalar::Number);
    if (type == "integer")
        return static_cast<std::uint8_t>(Scalar::Integer);
    if (type == "boolean")
        return static_cast<std::uint8_t>(Scalar::Boolean);
    return type == "string" ? anything : 0;
}

std::optional<object> objectOf(const std::optional<element> &value)
{
    object found;
    if (!value || value->get_object().get(found) != simdjson::SUCCESS)
        return std::nullopt;
    return found;
}

std::optional<array> arrayOf(const std::optional<element> &value)
{
    array found;
    if (!value || value->get_array().get(found) != simdjson::SUCCESS)
        return std::nullopt;
    return found;
}

} // namespace

void SchemaReader::readTools(element tools, std::string_view nameSpace)
{
    const auto list = arrayOf(tools);
    if (!list)
        return;
    for (const element entry : *list) {
        const auto tool = objectOf(entry);
        if (!tool)
            continue;
        const auto inner = member(*tool, "tools");
        if (nameSpace.empty() && inner && stringMember(*tool, "type") == "namespace")
            readTools(*inner, stringMember(*tool, "name"));
        else
            readTool(*tool, nameSpace);
    }
}

void SchemaReader::readTool(object tool, std::string_view nameSpace)
{
    const std::string_view name = stringMember(tool, "name");
    if (name.empty())
        return;
    Index schema = ToolSchemas::none;
    if (const auto parameters = member(tool, "parameters")) {
        m_root = *parameters;
        m_byReference.clear();
        schema = readSchema(*parameters);
    }
    if (schema == ToolSchemas::none) {
        schema = static_cast<Index>(m_out.m_schemas.size());
        m_out.m_schemas.emplace_back();
    }
    m_out.m_schemas[schema].object = true; // arguments are an object, whatever is declared
    m_out.m_tools[ToolSchemas::toolKey(nameSpace, name, m_hasher.seed())] = schema;
}

// A reference is read where it points to; `path` becomes the last one followed.
std::optional<element> SchemaReader::resolve(element schema, std::string &path) const
{
    for (int step = 0; step < mostVisits; ++step) {
        const auto fields = objectOf(schema);
        if (!fields)
            return std::nullopt;
        const std::string_view reference = stringMember(*fields, "$ref");
        if (reference.empty())
            return schema;
        if (!reference.starts_with('#'))
            return std::nullopt;
        path = reference;
        element target = m_root;
        if (reference.size() > 1
            && m_root.at_pointer(reference.substr(1)).get(target) != simdjson::SUCCESS)
            return std::nullopt;
        schema = target;
    }
    return std::nullopt;
}

ToolSchemas::Index SchemaReader::readSchema(element schema)
{
    std::string path;
    const auto resolved = resolve(schema, path);
    const auto fields = objectOf(resolved);
    if (!fields || m_depth >= deepest || m_out.m_schemas.size() >= mostSchemas)
        return ToolSchemas::none;
    // A default beside the reference is the property's own; then it is a schema of its own too.
    const auto own = objectOf(schema);
    const auto fallback = own ? member(*own, "default") : std::nullopt;
    if (!path.empty() && fallback)
        path.clear();
    if (const auto known = m_byReference.find(path); !path.empty() && known != m_byReference.end())
        return known->second;
    const auto index = static_cast<Index>(m_out.m_schemas.size());
    m_out.m_schemas.emplace_back();
    if (!path.empty())
        m_byReference.emplace(path, index);
    ++m_depth;
    readObject(*fields, index);
    --m_depth;
    int visits = 0;
    const std::uint8_t kinds = scalars(*resolved, visits);
    m_out.m_schemas[index].scalars = (kinds & anything) != 0 ? std::uint8_t{0} : kinds;
    if (const auto value = fallback ? fallback : member(*fields, "default")) {
        const auto nodes = m_hasher.flatten(*value);
        m_out.m_schemas[index].fallback = m_out.value(index, nodes, 0, m_hasher.seed());
    }
    return index;
}

void SchemaReader::readProperties(object schema, Index into)
{
    const auto properties = objectOf(member(schema, "properties"));
    const auto required = arrayOf(member(schema, "required"));
    if (!properties && !required)
        return;
    std::map<base::Fingerprint, ToolSchemas::Property> byKey;
    if (properties) {
        for (const auto [name, property] : *properties) {
            const base::Fingerprint key = base::fingerprint(name, m_hasher.seed());
            byKey[key] = {key, readSchema(property), false};
        }
    }
    if (required) {
        for (const element entry : *required) {
            std::string_view name;
            if (entry.get_string().get(name) != simdjson::SUCCESS)
                continue;
            const base::Fingerprint key = base::fingerprint(name, m_hasher.seed());
            ToolSchemas::Property &property = byKey[key];
            property.key = key;
            property.required = true;
        }
    }
    std::vector<ToolSchemas::Property> list;
    list.reserve(byKey.size());
    for (const auto &[key, property] : byKey)
        list.push_back(property);
    m_out.m_schemas[into].object = true;
    m_out.m_schemas[into].properties = std::move(list);
}

void SchemaReader::readObject(object schema, Index into)
{
    readProperties(schema, into);
    if (const auto items = member(schema, "items"))
        m_out.m_schemas[into].items = readSchema(*items);
    // A choice between one shape and null is that shape.
    for (const std::string_view key : {"anyOf", "oneOf"}) {
        const auto choice = arrayOf(member(schema, key));
        if (!choice)
            continue;
        std::vector<element> shapes;
        std::copy_if(choice->begin(), choice->end(), std::back_inserter(shapes), [](element one) {
            const auto fields = objectOf(one);
            return !fields || stringMember(*fields, "type") != "null";
        });
        if (shapes.size() != 1)
            continue;
        const Index shape = readSchema(shapes.front());
        if (shape == ToolSchemas::none || m_out.m_schemas[into].object)
            continue;
        m_out.m_schemas[into].object = m_out.m_schemas[shape].object;
        m_out.m_schemas[into].properties = m_out.m_schemas[shape].properties;
        m_out.m_schemas[into].items = m_out.m_schemas[shape].items;
    }
}

// The union of what a value may be; `anything` as soon as a string is welcome or nobody can tell.
std::uint8_t SchemaReader::scalars(element schema, int &visits) const
{
    if (++visits > mostVisits)
        return anything;
    std::string path;
    const auto fields = objectOf(resolve(schema, path));
    if (!fields)
        return anything;
    if (const auto type = member(*fields, "type")) {
        std::string_view word;
        if (type->get_string().get(word) == simdjson::SUCCESS)
            return scalarOf(word);
        std::uint8_t kinds = 0;
        if (const auto list = arrayOf(type)) {
            for (const element one : *list)
                kinds
                    |= one.get_string().get(word) == simdjson::SUCCESS ? scalarOf(word) : anything;
        }
        return kinds;
    }
    for (const std::string_view key : {"anyOf", "oneOf"}) {
        if (const auto choice = arrayOf(member(*fields, key)))
            return scalarsOfChoice(*choice, visits);
    }
    return anything;
}

std::uint8_t SchemaReader::scalarsOfChoice(array choice, int &visits) const
{
    std::uint8_t kinds = 0;
    for (const element one : choice)
        kinds |= scalars(one, visits);
    return kinds;
}

} // namespace headway::heads
