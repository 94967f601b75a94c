import type { Type } from 'ts-morph';
import { isJsonObject, type Json } from '../../../schema/json/json.ts';
import { type DeclaredMember, isAnyText, membersOf } from './read-type.ts';

/** Whether a value fits a type that is not an object. Undefined for object types, lists and unions. */
const plainFits = (type: Type, value: Json): boolean | undefined => {
  if (type.isAny() || type.isUnknown()) return true;
  if (type.isStringLiteral() || type.isNumberLiteral()) return value === type.getLiteralValue();
  if (type.isBooleanLiteral()) return String(value) === type.getText();
  if (type.isNull()) return value === null;
  if (type.isUndefined()) return false;
  if (isAnyText(type)) return typeof value === 'string';
  if (type.isNumber()) return typeof value === 'number';
  if (type.isBoolean()) return typeof value === 'boolean';
  // Bytes are base64 in JSON.
  if (type.getSymbol()?.getName() === 'Uint8Array') return typeof value === 'string';
  return undefined;
};

/** Vendors omit members that may be null, and write null for members that may be absent. */
const mayBeAbsent = ({ symbol, type }: DeclaredMember): boolean => symbol.isOptional() || type.isNullable();

/** Counts the members that identify a value as this variant of a union, such as its `type` or `role`. */
const tagsOf = (type: Type, value: Json): number =>
  isJsonObject(value) && type.isObject()
    ? membersOf(type).filter(
        (member) => member.type.isStringLiteral() && value[member.name] === member.type.getLiteralValue(),
      ).length
    : 0;

const isOfKind = (type: Type, value: Json): boolean => {
  if (Array.isArray(value)) return type.isArray();
  return isJsonObject(value) ? type.isObject() && !type.isArray() : plainFits(type, value) !== undefined;
};

const unionErrors = (type: Type, value: Json, place: string): readonly string[] => {
  const variants = type
    .getUnionTypes()
    .filter((each) => isOfKind(each, value))
    .map((each) => ({ tags: tagsOf(each, value), errors: declaredErrors(each, value, place) }))
    .toSorted((one, other) => other.tags - one.tags || one.errors.length - other.errors.length);
  if (variants.some(({ errors }) => errors.length === 0)) return [];
  return typeof value === 'object' && variants[0] !== undefined
    ? variants[0].errors
    : [`${place} is of no declared kind`];
};

/**
 * Returns where a value differs from what a vendor's client declares: missing members, and members of another type. Additional
 * members are allowed.
 */
export const declaredErrors = (type: Type, value: Json, place = 'it'): readonly string[] => {
  const fits = plainFits(type, value);
  if (fits !== undefined) return fits ? [] : [`${place} is of no declared kind`];
  if (type.isUnion()) return unionErrors(type, value, place);
  const item = type.getArrayElementType();
  if (item !== undefined)
    return Array.isArray(value)
      ? value.flatMap((each) => declaredErrors(item, each, `${place}[]`))
      : [`${place} is no list`];
  if (!isJsonObject(value)) return [`${place} is no object`];
  return membersOf(type).flatMap((member) => {
    const { name, type: own } = member;
    const given = value[name] ?? null;
    if (given === null) return mayBeAbsent(member) ? [] : [`${place}.${name} is missing`];
    return declaredErrors(own, given, `${place}.${name}`);
  });
};
