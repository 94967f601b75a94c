import type { Json } from '../../../schema/json/json.ts';

/** Values larger than this are not copied here. */
const max = { values: 64, depth: 4, characters: 2048 };

interface Left {
  values: number;
  characters: number;
}

/** Takes one value and its characters from what is left. Returns whether there was room. */
const takes = (left: Left, characters: number): boolean => {
  left.values -= 1;
  left.characters -= characters;
  return left.values >= 0 && left.characters >= 0;
};

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && !('toJSON' in value);
};

const findList = (values: readonly unknown[], left: Left, depth: number): Json | undefined => {
  if (Object.getPrototypeOf(values) !== Array.prototype || 'toJSON' in values || values.length > left.values)
    return undefined;
  const list: Json[] = [];
  for (const value of values) {
    const copied = copyValue(value, left, depth);
    if (copied === undefined) return undefined;
    list.push(copied);
  }
  return list;
};

const findObject = (value: object, left: Left, depth: number): Json | undefined => {
  if (!isPlain(value)) return undefined;
  const copy: { [key: string]: Json } = {};
  for (const key in value) {
    if (key === '__proto__' || !takes(left, key.length)) return undefined;
    const copied = copyValue(Reflect.get(value, key), left, depth);
    if (copied === undefined) return undefined;
    copy[key] = copied;
  }
  return copy;
};

const copyValue = (value: unknown, left: Left, depth: number): Json | undefined => {
  if (!takes(left, typeof value === 'string' ? value.length : 0)) return undefined;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  // JSON has no -0.
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : undefined;
  if (typeof value !== 'object' || depth === 0) return undefined;
  return Array.isArray(value) ? findList(value, left, depth - 1) : findObject(value, left, depth - 1);
};

/**
 * Copies a small plain value as if it had been written as JSON and parsed again, at a lower cost. Returns undefined for any other
 * value.
 */
export const smallCopy = (value: unknown): Json | undefined =>
  copyValue(value, { values: max.values, characters: max.characters }, max.depth);
