import type { Diagnostic, Span } from '../../../schema/errors/diagnostic.ts';
import { isJsonObject, type Json } from '../../../schema/json/json.ts';
import { findPlace } from '../../../schema/json/json-places.ts';
import { parseJson } from '../../../schema/json/parse-json.ts';
import { childPointer, fromPointer, type JsonPointer, rootPointer, toPointer } from '../../../schema/json/pointer.ts';
import { convertPortkeyConfig } from '../../../schema/portkey/convert-config.ts';
import { renamedMembers } from '../../../schema/portkey/members.ts';

/** Returns where each place of a converted config comes from. */
const readSources = (config: Json): ReadonlyMap<JsonPointer, JsonPointer> => {
  const sources = new Map<JsonPointer, JsonPointer>();
  convertPortkeyConfig(config, rootPointer, {
    mapSource: (made, source) => void sources.set(made, source),
    reportLoss: () => {},
    text: ({ value }) => value,
    isOmitted: () => false,
    finish: (made) => made,
  });
  return sources;
};

/** Returns the source of a place: that of the innermost converted place around it, and the rest of the path below that. */
const findSource = (pointer: JsonPointer, sources: ReadonlyMap<JsonPointer, JsonPointer>): JsonPointer => {
  const tokens = fromPointer(pointer);
  for (let count = tokens.length; count > 0; count -= 1) {
    const source = sources.get(toPointer(tokens.slice(0, count)));
    if (source !== undefined) return childPointer(source, ...tokens.slice(count));
  }
  return pointer;
};

const lastToken = (pointer: JsonPointer): string => fromPointer(pointer).at(-1) ?? '';

/** Returns the key before a value, with its quotes. Undefined if it is written with escapes, and before an item of a list. */
const keyBefore = (text: string, at: number, key: string): Pick<Span, 'offset' | 'length'> | undefined => {
  const written = JSON.stringify(key);
  const before = text.slice(0, at).trimEnd();
  if (!before.endsWith(':') || !before.slice(0, -1).trimEnd().endsWith(written)) return undefined;
  return { offset: before.lastIndexOf(written), length: written.length };
};

/**
 * Returns the span in the text that was sent. Undefined for a place that is not there. A header is one line of Latin-1, in which
 * each character is a byte.
 */
const findSpan = (text: string, { span, pointer }: Diagnostic, source: JsonPointer): Span | undefined => {
  const place = findPlace(Buffer.from(text, 'latin1'), source);
  if (place === undefined) return undefined;
  const isKey = span.length === JSON.stringify(lastToken(pointer)).length;
  const { offset, length } = (isKey ? keyBefore(text, place.from, lastToken(source)) : undefined) ?? {
    offset: place.from,
    length: place.to - place.from,
  };
  return { offset, length, line: 1, column: offset + 1 };
};

/** Maps the gateway's names of members to Portkey's. */
const theirMembers: ReadonlyMap<string, string> = new Map(
  Object.entries(renamedMembers).map(([theirs, ours]) => [ours, theirs]),
);

const toCamel = (name: string): string => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Returns a suggestion in the spelling of the name that was sent. */
const toSentSpelling = (hint: string, sentName: string): string =>
  hint.replace(/(?<=^Did you mean ")[a-z_]+(?="\?$)/, (ours) => {
    const name = theirMembers.get(ours) ?? ours;
    return /[A-Z]/.test(sentName) ? toCamel(name) : name;
  });

/** Returns the diagnostics of a converted config, with the names and places of the text that a client of Portkey sent. */
export const toSentDiagnostics = (diagnostics: readonly Diagnostic[], text: string): readonly Diagnostic[] => {
  const config = parseJson(text);
  if (!isJsonObject(config)) return diagnostics;
  const sources = readSources(config);
  return diagnostics.map((diagnostic) => {
    const { pointer, message, hint } = diagnostic;
    const source = findSource(pointer, sources);
    const span = findSpan(text, diagnostic, source);
    if (span === undefined) return diagnostic;
    const name = lastToken(source);
    const rename = (words: string): string => words.replaceAll(`"${lastToken(pointer)}"`, `"${name}"`);
    return {
      ...diagnostic,
      pointer: source,
      span,
      message: rename(message),
      ...(hint === undefined ? {} : { hint: toSentSpelling(rename(hint), name) }),
    };
  });
};
