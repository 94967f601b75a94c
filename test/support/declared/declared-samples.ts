import type { Type } from 'ts-morph';
import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { declaredType } from './declared-type.ts';
import { isAnyText, membersOf } from './read-type.ts';

/** Deeper than any table; what is nested in itself ends there. */
const maxLevels = 9;

const literal = (type: Type): Json | undefined => {
  if (type.isStringLiteral() || type.isNumberLiteral()) return type.getLiteralValue() as string | number;
  if (type.isBooleanLiteral()) return type.getText() === 'true';
  if (type.isNull()) return null;
  if (isAnyText(type)) return 'text';
  if (type.isNumber()) return 1;
  return undefined;
};

/** What is there of an object in each of its samples: each sample of each member is in one of them. */
const objectSamples = (type: Type, level: number): readonly JsonObject[] => {
  const isError = type.getProperty('stack') !== undefined;
  const members = membersOf(type).flatMap(({ name, type: own }) => {
    const samples = isError && isOfClient(name) ? [] : samplesOf(own, level + 1);
    return samples.length === 0 ? [] : [[name, samples] as const];
  });
  const count = Math.max(1, ...members.map(([, samples]) => samples.length));
  return Array.from({ length: count }, (_, at) =>
    Object.fromEntries(members.map(([name, samples]) => [name, samples[at % samples.length] ?? null])),
  );
};

/** Any JSON, of which nothing is declared. */
const isAnyJson = (type: Type): boolean =>
  type.isUnion() &&
  [(each: Type) => each.isString(), (each: Type) => each.isNumber(), (each: Type) => each.isArray()].every((is) =>
    type.getUnionTypes().some(is),
  ) &&
  type.getUnionTypes().some((each) => each.getStringIndexType() !== undefined);

/** What clients of AWS add to the errors that are frames of a stream. */
const isOfClient = (name: string): boolean => name.startsWith('$') || ['name', 'stack', 'cause'].includes(name);

/** Of clients of AWS: it stands for what they do not know yet. */
const isUnknownMember = (type: Type): boolean => type.getSymbol()?.getName() === '$UnknownMember';

const samplesOf = (type: Type, level: number): readonly Json[] => {
  if (level > maxLevels || type.isAny() || type.isUnknown() || type.isUndefined() || isUnknownMember(type)) return [];
  if (isAnyJson(type)) return [];
  const value = literal(type);
  if (value !== undefined) return [value];
  if (type.isUnion()) {
    const all = type.getUnionTypes().flatMap((each) => samplesOf(each, level));
    const whole = all.filter((each) => typeof each === 'object' && each !== null);
    const plain = all.find((each) => typeof each !== 'object') ?? (all.includes(null) ? null : undefined);
    return plain === undefined || (plain === null && whole.length > 0) ? whole : [...whole, plain];
  }
  const item = type.getArrayElementType();
  if (item !== undefined) return [samplesOf(item, level + 1).filter((each) => each !== null)];
  if (type.getCallSignatures().length > 0) return [];
  const byName = type.getStringIndexType();
  if (byName !== undefined && type.getProperties().length === 0) {
    const samples = samplesOf(byName, level + 1);
    return samples.length === 0 ? [{}] : samples.map((each) => ({ any: each }));
  }
  return type.isObject() || type.isIntersection() ? objectSamples(type, level) : [];
};

/**
 * Values of a type that a package declares, in which each member of each of its variants stands once: bodies with all that the
 * vendor's own client knows of.
 */
export const declaredSamples = (file: string, name: string): readonly JsonObject[] => {
  const samples = samplesOf(declaredType(file, name), 0).filter(isJsonObject);
  if (samples.every((sample) => Object.keys(sample).length === 0))
    throw new Error(`${name} of ${file} has no members.`);
  return samples;
};
