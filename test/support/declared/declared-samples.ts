import type { Type } from 'ts-morph';
import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { declaredType } from './declared-type.ts';
import { isAnyText, membersOf } from './read-type.ts';

/** Deeper than any table. Recursive types end there. */
const maxLevels = 9;

const literal = (type: Type): Json | undefined => {
  if (type.isStringLiteral() || type.isNumberLiteral()) return type.getLiteralValue() as string | number;
  if (type.isBooleanLiteral()) return type.getText() === 'true';
  if (type.isNull()) return null;
  if (isAnyText(type)) return 'text';
  if (type.isNumber()) return 1;
  return undefined;
};

/** Returns samples of an object type that together contain every sample of every member. */
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

/** Whether a type is any JSON, about which nothing is declared. */
const isAnyJson = (type: Type): boolean =>
  type.isUnion() &&
  [(each: Type) => each.isString(), (each: Type) => each.isNumber(), (each: Type) => each.isArray()].every((is) =>
    type.getUnionTypes().some(is),
  ) &&
  type.getUnionTypes().some((each) => each.getStringIndexType() !== undefined);

/** Whether a member is one that AWS clients add to the errors in a stream. */
const isOfClient = (name: string): boolean => name.startsWith('$') || ['name', 'stack', 'cause'].includes(name);

/** A placeholder in AWS clients for what they do not know yet. */
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
 * Returns values of a type that a package declares, in which each member of each variant occurs once: bodies with everything
 * that the vendor's own client knows.
 */
export const declaredSamples = (file: string, name: string): readonly JsonObject[] => {
  const samples = samplesOf(declaredType(file, name), 0).filter(isJsonObject);
  if (samples.every((sample) => Object.keys(sample).length === 0))
    throw new Error(`${name} of ${file} has no members.`);
  return samples;
};
