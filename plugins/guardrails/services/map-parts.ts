import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';

/** The members of requests that hold messages. */
const messageLists: ReadonlySet<string> = new Set(['messages', 'input', 'contents']);
/** Parts are not nested deeper: a message has contents, and a tool result in it may have contents again. */
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

/** Returns a request with the parts of its messages changed. If `change` returns undefined, the part is kept. */
export const mapParts = (body: JsonObject, change: (part: JsonObject) => JsonObject | undefined): JsonObject =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      messageLists.has(name) ? mapped(value, change, deepest) : value,
    ]),
  );
