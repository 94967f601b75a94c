import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';

/** The members of requests that hold messages. */
const messageLists: ReadonlySet<string> = new Set(['messages', 'input', 'contents']);
/** Parts are not deeper: a message has contents, and the result of a tool in it may have some again. */
const deepest = 12;

const mapped = (value: Json, change: (part: JsonObject) => JsonObject | undefined, depth: number): Json => {
  if (depth === 0) return value;
  if (Array.isArray(value)) return value.map((item) => mapped(item, change, depth - 1));
  if (!isJsonObject(value)) return value;
  return (
    change(value) ??
    Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapped(inner, change, depth - 1)]))
  );
};

/** A request with the parts of its messages changed; a part for which nothing is given stays. */
export const mapParts = (body: JsonObject, change: (part: JsonObject) => JsonObject | undefined): JsonObject =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      messageLists.has(name) ? mapped(value, change, deepest) : value,
    ]),
  );
