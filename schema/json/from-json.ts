import { hasEscapedName } from './escaped-names.ts';
import { JsonReader } from './json-reader.ts';

/**
 * The value of a JSON text, as `JSON.parse` is specified to give it; throws a `SyntaxError` for any other text.
 *
 * V8 since 13 reads a name that is written with an escape as another one if an earlier text, of whomever in the process, had a
 * name with a backslash in its place: after `{"\\":1}`, `{"\u0041":1}` has the member `\` instead of `A`. A caller could
 * so hide from every check what the provider reads. Such texts are rare, and read without the engine's help, which also keeps
 * their names from misleading the engine. https://github.com/nodejs/node/issues/63785
 */
export const fromJson = (text: string): ReturnType<typeof JSON.parse> =>
  hasEscapedName(text) ? new JsonReader(text).whole() : JSON.parse(text);
