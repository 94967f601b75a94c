import { isJsonObject, type Json, type JsonObject } from '../../schema/json/json.ts';
import type { Condition, ConditionTest, ElementPath, Facts } from '../../schema/plan/condition.ts';
import { type Atom, type Literal, readPath } from '../check/conditions/literal.ts';
import { meetsAll } from './literals.ts';

/** A value that probably no condition names. */
const other = 'other';

/** The most frequent paths of requests. */
const knownPaths: readonly Json[] = [
  ...['/v1/chat/completions', '/v1/embeddings', '/v1/messages', '/v1/responses', '/v1/completions'],
  ...['/v1/images/generations', '/v1/audio/speech', '/v1/audio/transcriptions', '/v1/moderations', '/v1/rerank'],
];

/** `undefined` stands for a missing value. */
type Candidate = Json | undefined;

const maxCandidates = 40;
const maxTried = 4000;

/** Returns the literal texts of a pattern that consists of plain characters, such as `^gpt-4|claude`. */
const plainTexts = (pattern: string): readonly string[] =>
  pattern
    .replace(/^\^?\(?(.*?)\)?\$?$/, '$1')
    .split('|')
    .map((part) =>
      part
        .replace(/^\^|\$$/g, '')
        .replace(/\\([.\-/])/g, '$1')
        .replace(/\.[*+]$/g, 'x'),
    )
    .filter((part) => !/[\\[\](){}*+?^$|]/.test(part));

const ofTest = ({ op, value }: ConditionTest<ElementPath>): readonly Candidate[] => {
  switch (op) {
    case '$eq':
    case '$ne':
      return [value];
    case '$in':
    case '$nin':
      return Array.isArray(value) ? value.slice(0, maxCandidates) : [];
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      return [Number(value), Number(value) + 1, Number(value) - 1];
    case '$regex':
      return plainTexts(String(value));
    case '$all':
      return [value];
    case '$size':
      return [Array.from({ length: Math.min(Number(value), 100) }, () => other)];
    case '$exists':
      return [];
  }
};

const withValue = (start: Candidate, path: ElementPath, value: Candidate): Candidate => {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const before: JsonObject = isJsonObject(start) ? start : {};
  const inner = withValue(before[key], rest, value);
  return inner === undefined ? before : { ...before, [key]: inner };
};

/** Builds an element that may meet a condition, by combining one value for each of its tests. */
const elementOf = (condition: Condition<ElementPath>, at: number): Candidate => {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return condition.of.reduce<Candidate>((element, part) => {
        if (part.kind !== 'test') return element;
        const values = ofTest(part);
        return withValue(element, part.path, values[at % Math.max(1, values.length)] ?? other);
      }, undefined);
    case 'not':
      return withValue(undefined, condition.of.path, other);
    case 'test': {
      const values = ofTest(condition);
      return withValue(undefined, condition.path, values[at % Math.max(1, values.length)] ?? other);
    }
    case 'element':
      return withValue(undefined, condition.path, [elementOf(condition.of, at) ?? other]);
  }
};

const ofAtom = (atom: Atom): readonly Candidate[] =>
  atom.kind === 'test' ? ofTest(atom) : [0, 1, 2].map((at) => [elementOf(atom.of, at) ?? other]);

const candidatesOf = (literals: readonly Literal[], isUrl: boolean): readonly Candidate[] => {
  const own = literals.flatMap((literal) => ofAtom(literal.kind === 'not' ? literal.of : literal));
  const all: readonly Candidate[] = isUrl ? [...own, ...knownPaths] : [...own, undefined, other, 0, [], [other], true];
  return [...new Map(all.map((value) => [JSON.stringify(value) ?? '', value])).values()].slice(0, maxCandidates);
};

const noFacts: Facts = { metadata: {}, params: {}, url: { pathname: '/v1/chat/completions' } };

/** Sets a value at a path of the facts; returns nothing if no request can have it there. */
const withFact = (facts: Facts, literal: Literal, value: Candidate): Facts | undefined => {
  const [root, ...rest] = readPath(literal);
  if (value === undefined) return facts;
  switch (root) {
    case 'metadata':
    case 'params': {
      const members = withValue(facts[root], rest, value);
      return isJsonObject(members) ? { ...facts, [root]: members } : undefined;
    }
    case 'plan':
      return typeof value === 'string' && rest.length === 1 ? { ...facts, plan: { model: value } } : undefined;
    case 'url':
      return typeof value === 'string' && value.startsWith('/') ? { ...facts, url: { pathname: value } } : undefined;
  }
};

/** Returns a key for the fact of a literal. Literals of one fact can be met independently of those of others. */
const factOf = (literal: Literal): string => JSON.stringify(readPath(literal).slice(0, 2));

const groupBy = (literals: readonly Literal[], toKey: (literal: Literal) => string) => [
  ...Map.groupBy(literals, toKey).values(),
];

/** Extends the facts with values that meet all literals of one fact; returns nothing if none were found. */
const withGroup = (facts: Facts, literals: readonly Literal[]): Facts | undefined => {
  const places = groupBy(literals, (literal) => JSON.stringify(readPath(literal)));
  let tried: readonly Facts[] = [facts];
  for (const place of places) {
    const [first] = place;
    if (first === undefined) continue;
    const values = candidatesOf(place, readPath(first)[0] === 'url');
    tried = tried.flatMap((each) => values.flatMap((value) => withFact(each, first, value) ?? [])).slice(0, maxTried);
  }
  return tried.find((each) => meetsAll(literals, each));
};

/**
 * Returns the facts of a request that meets all of the literals. If it returns undefined, none was found, although there may be
 * one.
 */
export const exampleFacts = (literals: readonly Literal[]): Facts | undefined => {
  let facts: Facts | undefined = noFacts;
  for (const group of groupBy(literals, factOf)) facts = facts && withGroup(facts, group);
  return facts;
};
