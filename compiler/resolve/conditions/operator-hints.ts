import type { Json } from '../../../schema/json/json.ts';
import { suggestion } from '../../diagnostics/closest.ts';
import { spelling } from '../../diagnostics/spelling.ts';

/** Other words for an operator. */
const synonyms: Readonly<Record<string, string>> = {
  $eq: '= == === eq equal equals is',
  $ne: '!= !== <> ne neq not not_equal not_equals isnt',
  $gt: '> gt greater greater_than above more_than after',
  $gte: '>= gte ge greater_than_or_equal at_least min',
  $lt: '< lt less less_than below before',
  $lte: '<= lte le less_than_or_equal at_most max',
  $in: 'in one_of any_of any includes',
  $nin: 'nin not_in none_of none',
  $regex: 'regex regexp regexmatch match matches rx ~ =~ pattern',
};

/** Operators of other languages that a pattern stands in for. */
const patterns: Readonly<Record<string, string>> = {
  contains: 'TEXT',
  like: 'TEXT',
  ilike: '(?i)TEXT',
  glob: 'TEXT',
  includestext: 'TEXT',
  startswith: '^TEXT',
  beginswith: '^TEXT',
  prefix: '^TEXT',
  endswith: 'TEXT$',
  suffix: 'TEXT$',
};

/** Suggests the operator that was probably meant. */
export const operatorHint = (operator: string, operators: readonly string[]): string => {
  const word = spelling(operator);
  const pattern = patterns[word];
  if (pattern !== undefined) return `Use "$regex", for instance { "$regex": "${pattern}" }.`;
  if (word === 'exists') return 'No operator tests whether a key exists; compare it with a value.';
  if (word === 'between' || word === 'range') return 'Use "$gte" and "$lte" together.';
  if (word === 'and' || word === 'or')
    return `"$${word}" takes a list of queries and stands in place of the path, not below it.`;
  const meant = Object.entries(synonyms).find(([, words]) => words.split(' ').some((each) => spelling(each) === word));
  return meant === undefined ? suggestion(operator, operators) : `Did you mean "${meant[0]}"?`;
};

/** Suggests what to write instead of an operand that its operator does not take. */
export const operandHint = (operator: string, value: Json, expected: string): string => {
  if (Array.isArray(value) && operator === '$eq') return 'Use "$in" to compare with a list.';
  if (Array.isArray(value) && operator === '$ne') return 'Use "$nin" to compare with a list.';
  if (operator === '$in' || operator === '$nin')
    return `Write a list, or use "${operator === '$in' ? '$eq' : '$ne'}" to compare with one value.`;
  return `Write ${expected}.`;
};
