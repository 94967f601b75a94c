import { isJsonObject, type Json } from '../../../schema/json/json.ts';
import { lookUp } from '../../../schema/json/look-up.ts';
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
  $exists: 'exists exist has_key present is_present defined is_defined is_set isset',
  $all: 'all all_of contains_all has_all includes_all',
  $size: 'size length len count',
  $elemMatch: 'elem_match element_match element any_element has_element each',
};

/** Operators of other languages that a pattern can replace. */
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

/** Other words for `$exists: false`. */
const absences: ReadonlySet<string> = new Set(
  'not_exists does_not_exist missing absent undefined is_undefined'.split(' ').map(spelling),
);

/** Suggests the operator that was probably meant. */
export const operatorHint = (operator: string, operators: readonly string[]): string => {
  const word = spelling(operator);
  const pattern = lookUp(patterns, word);
  if (pattern !== undefined) return `Use "$regex", for instance { "$regex": "${pattern}" }.`;
  if (absences.has(word)) return 'Use "$exists": false.';
  if (word === 'between' || word === 'range') return 'Use "$gte" and "$lte" together.';
  if (word === 'and' || word === 'or')
    return `"$${word}" takes a list of queries and goes where a path would, not below it.`;
  const meant = Object.entries(synonyms).find(([, words]) => words.split(' ').some((each) => spelling(each) === word));
  return meant === undefined ? suggestion(operator, operators) : `Did you mean "${meant[0]}"?`;
};

/** Suggests what to write instead of an operand that its operator does not accept. */
export const operandHint = (operator: string, value: Json, expected: string): string => {
  if (Array.isArray(value) && operator === '$eq') return 'Use "$in" to compare with a list.';
  if (Array.isArray(value) && operator === '$ne') return 'Use "$nin" to compare with a list.';
  if (operator === '$in' || operator === '$nin')
    return `Write a list, or use "${operator === '$in' ? '$eq' : '$ne'}" to compare with one value.`;
  if (operator === '$size') return sizeHint(value);
  if (operator === '$all') return allHint(value);
  if (operator === '$elemMatch' || operator === '$not') return nestingHint(operator, value);
  return `Write ${expected}.`;
};

const sizeHint = (value: Json): string => {
  if (typeof value === 'string' && /^\d+$/.test(value)) return `Write ${value} without quotes.`;
  return isJsonObject(value)
    ? 'Write a number; { "params.messages.10": { "$exists": true } } matches more than 10 elements.'
    : 'Write how many elements the list has.';
};

const allHint = (value: Json): string => {
  if (Array.isArray(value))
    return 'Name a value; { "$exists": true } matches any list, and { "$size": 0 } an empty one.';
  return isJsonObject(value) ? matchObjects : 'Write a list of values, even for a single one.';
};

const matchObjects = 'Use "$elemMatch" for elements that are objects or lists.';

/** Suggests what to write instead of an item that the list of an operator does not accept. */
export const itemHint = (operator: string): string =>
  operator === '$all' ? matchObjects : 'Write each item as a string or a number.';

const nestingHint = (operator: '$elemMatch' | '$not', value: Json): string => {
  if (isJsonObject(value)) return `Write an operator in it, for instance { "${operator}": { "$regex": "^gpt" } }.`;
  if (operator === '$elemMatch') return 'Use "$all" for lists that contain a value.';
  return `Use "${Array.isArray(value) ? '$nin' : '$ne'}" for whatever is not this.`;
};
