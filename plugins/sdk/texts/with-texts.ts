import { exactText } from '../../../schema/json/exact-numbers.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { keepSources } from '../../../schema/json/number-sources.ts';
import { parseExactJson } from '../../../schema/json/parse-json.ts';
import { fromPointer, rootPointer } from '../../../schema/json/pointer.ts';
import type { CheckPhase } from '../../../schema/trail/trail.ts';
import type { TextSpan } from '../dialect/dialect.ts';
import type { Replacement } from '../guardrail/guardrail.ts';
import { splitByPlace } from './in-places.ts';
import { freeName, replaceInLines } from './replace-in-lines.ts';
import { replacedTexts } from './replaced-texts.ts';
import { stringsIn } from './strings-in.ts';
import { readFile } from './written-text.ts';

/** Replacements in the texts of a body. */
export interface ReplacedSpans {
  /** The texts as returned by the dialect's `texts`. A text at the root has no place in the body. */
  readonly spans: readonly TextSpan[];
  readonly replacements: readonly Replacement[];
  readonly phase: CheckPhase;
}

const isTextOf = (value: Json | undefined, text: string): value is Json => stringsIn(value).join('\n') === text;

/** Writes a new text in the form of the old one: unchanged, as the strings of a JSON text or value, or as a file. */
const rewritten = (value: Json | undefined, span: TextSpan, change: OwnChange): Json => {
  if (typeof value === 'string') {
    if (value === span.text) return change.text;
    const inside = parseExactJson(value);
    if (isTextOf(inside, span.text)) return exactText(replaceInLines(inside, change.replacements));
    const file = readFile(value);
    if (file.is === 'encoded' && file.text === span.text) return file.write(change.text);
  } else if (isTextOf(value, span.text)) return replaceInLines(value, change.replacements);
  throw new RangeError(
    `The text at "${span.at}" cannot be replaced, because the body does not contain it there as it was judged.`,
  );
};

/** The change of one piece. */
interface OwnChange {
  readonly text: string;
  /** The replacements of this piece. */
  readonly replacements: readonly Replacement[];
}

/** The places of a body that change, as a tree. */
interface Place {
  readonly inner: Map<string, Place>;
  /** Whether words of the body itself change there, rather than only quotations from its sources. */
  isSaid: boolean;
  write?: (value: Json | undefined) => Json;
  /** The new name of the member. */
  name?: string;
}

const newPlace = (): Place => ({ inner: new Map(), isSaid: false });

const toPlace = (root: Place, { at, kind }: TextSpan): Place => {
  let place = root;
  for (const token of fromPointer(at)) {
    const inner = place.inner.get(token) ?? newPlace();
    inner.isSaid ||= kind !== 'citation';
    place.inner.set(token, inner);
    place = inner;
  }
  return place;
};

/**
 * Members of answers that repeat a text next to them, or refer to it by position. They become wrong when the text changes, and
 * may reveal what was replaced.
 */
const echoes: ReadonlySet<string> = new Set([
  'annotations',
  'citationMetadata',
  'citations',
  'content_blocks',
  'groundingMetadata',
  'logprobs',
  'logprobsResult',
  'reasoning_details',
  'searchEntryPoint',
]);

/** Those of them that clients of OpenAI's responses always expect, so that their lists are emptied instead. */
const expected: ReadonlySet<string> = new Set(['annotations', 'logprobs']);

/** Reasoning in pieces does not refer to positions of another text, so it can be kept if its own words are replaced. */
const isEcho = (name: string, { inner }: Place): boolean =>
  echoes.has(name) &&
  !(name === 'reasoning_details' && inner.has(name)) &&
  [...inner].some(([changed, { isSaid }]) => isSaid && !echoes.has(changed));

const changedAt = (value: Json | undefined, place: Place, phase: CheckPhase): Json => {
  if (place.write !== undefined) return place.write(value);
  const members = typeof value === 'object' && value !== null ? value : {};
  if ([...place.inner.keys()].some((name) => !Object.hasOwn(members, name)))
    throw new RangeError('The place of a text does not exist in the body.');
  if (Array.isArray(value))
    return keepSources(
      value.map((item: Json, index) => {
        const inner = place.inner.get(String(index));
        return inner === undefined ? item : changedAt(item, inner, phase);
      }),
      value,
    );
  if (!isJsonObject(value)) return value ?? null;
  const changed = new Map<string, Json>();
  for (const [name, member] of Object.entries(value)) {
    const inner = place.inner.get(name);
    if (phase !== 'input' && isEcho(name, place)) {
      if (expected.has(name) && Array.isArray(member)) changed.set(name, []);
      continue;
    }
    changed.set(freeName(inner?.name ?? name, changed), inner === undefined ? member : changedAt(member, inner, phase));
  }
  return keepSources(Object.fromEntries(changed), value);
};

/**
 * Replaces the judged texts of a body, in whatever form each is written: a string, the strings inside the JSON of a tool's
 * arguments, or a file in base64. In an answer, members that repeat a replaced text are removed. Throws a `RangeError` if
 * replacements overlap or are out of range, and for a text that the body does not have.
 */
export const withTexts = (body: JsonObject, { phase, ...given }: ReplacedSpans): JsonObject => {
  const { spans, replacements } = splitByPlace(given);
  const texts = replacedTexts(spans, replacements);
  const root = newPlace();
  for (const [index, own] of Map.groupBy(replacements, ({ span }) => span)) {
    const span = spans[index];
    const text = texts[index];
    if (span === undefined || text === undefined || span.at === rootPointer) continue;
    const place = toPlace(root, span);
    if (span.isName === true) place.name = text;
    else place.write = (value) => rewritten(value, span, { text, replacements: own });
  }
  if (root.inner.size === 0) return body;
  const changed = changedAt(body, root, phase);
  return isJsonObject(changed) ? changed : body;
};
