import { isJsonObject, type Json } from '../../../schema/json/json.ts';
import type { Comparison } from '../../../schema/plan/condition.ts';

type Operand = 'scalar' | 'number' | 'list' | 'pattern' | 'flag' | 'values' | 'count';

const operands: Readonly<Record<Comparison, Operand>> = {
  $eq: 'scalar',
  $ne: 'scalar',
  $gt: 'number',
  $gte: 'number',
  $lt: 'number',
  $lte: 'number',
  $in: 'list',
  $nin: 'list',
  $regex: 'pattern',
  $exists: 'flag',
  $all: 'values',
  $size: 'count',
};

const operandMessages: Readonly<Record<Operand, string>> = {
  scalar: 'a string, a number, true, false or null',
  number: 'a number',
  list: 'a list of strings and numbers',
  pattern: 'a pattern, which is a string',
  flag: 'true or false',
  values: 'a list of at least one string or number',
  count: 'a whole number of at least 0',
};

const isScalar = (value: Json): boolean => typeof value !== 'object' || value === null;

const fits = (kind: Operand, value: Json): boolean => {
  switch (kind) {
    case 'scalar':
      return isScalar(value);
    case 'number':
      return (
        typeof value === 'number' || (typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value)))
      );
    case 'list':
      return Array.isArray(value) && value.every(isScalar);
    case 'pattern':
      return typeof value === 'string';
    case 'flag':
      return typeof value === 'boolean';
    case 'values':
      return Array.isArray(value) && value.length > 0 && value.every(isScalar);
    case 'count':
      return Number.isSafeInteger(value) && Number(value) >= 0;
  }
};

/** The operators that compare, in the order of the documentation. */
export const comparisons: readonly string[] = Object.keys(operands);

/** The operators whose operands are operators or queries. */
export const nestingOperators = ['$elemMatch', '$not'] as const;

export const isComparison = (text: string): text is Comparison => Object.hasOwn(operands, text);

/** Describes the operand of an operator. */
export const describeOperand = (op: Comparison): string => operandMessages[operands[op]];

/** Whether an operator accepts a value. */
export const takes = (op: Comparison, value: Json): boolean => fits(operands[op], value);

/**
 * Returns the index of the first item that a list of strings and numbers does not accept; undefined for another operand, or if it
 * accepts all items.
 */
export const findWrongItem = (op: Comparison, value: Json): number | undefined => {
  const isList = operands[op] === 'list' || operands[op] === 'values';
  if (!isList || !Array.isArray(value)) return undefined;
  const found = value.findIndex((item: Json) => !isScalar(item));
  return found === -1 ? undefined : found;
};

/** Whether a value is an empty object or list. */
export const isEmpty = (value: Json): boolean =>
  Array.isArray(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0;
