import type { Family } from './prometheus-families.ts';

/** Returns the errors in a family. Empty if there are none. */
type Rule = (family: Family) => readonly string[];

const unless = (holds: boolean, error: string): readonly string[] => (holds ? [] : [error]);

const baseUnits = 'amperes bytes celsius grams joules kelvin meters metres seconds volts'.split(' ');
const otherUnits =
  'minutes hours days weeks kelvins fahrenheit rankine inches yards miles bits calories pounds ounces'.split(' ');
const prefixes = 'pico nano micro milli centi deci deca hecto kilo kibi mega mibi giga gibi tera tebi peta pebi'.split(
  ' ',
);
const scaledUnits = [...baseUnits, ...otherUnits].flatMap((unit) => prefixes.map((prefix) => prefix + unit));
const abbreviations = 's ms us ns sec b kb mb gb tb pb m h d'.split(' ');
const camelCase = /[a-z][A-Z]/;

const toWords = ({ name }: Family): readonly string[] => name.split('_');
const toLowerWords = ({ name }: Family): readonly string[] => name.toLowerCase().split('_').slice(1);
const labelNames = ({ samples }: Family): readonly string[] =>
  samples.flatMap(({ labels }) => labels.map(([name]) => name));

const rules: readonly Rule[] = [
  ({ help }) => unless(help.trim() !== '', 'has no help'),
  (family) =>
    toWords(family)
      .filter((word) => otherUnits.includes(word) || scaledUnits.includes(word))
      .map((word) => `is not in a base unit but in ${word}`),
  ({ name, type }) =>
    unless((type === 'counter') === name.endsWith('_total'), 'must end in _total if it is a counter, and only then'),
  ({ name, type }) => unless(type === 'histogram' || !name.endsWith('_bucket'), 'ends as the buckets of a histogram'),
  ({ name, type }) =>
    unless(type === 'histogram' || type === 'summary' || !/_(count|sum)$/.test(name), 'ends as a part of a histogram'),
  (family) =>
    unless(family.type === 'histogram' || !labelNames({ ...family }).includes('le'), 'has the label of a histogram'),
  (family) =>
    unless(family.type === 'summary' || !labelNames(family).includes('quantile'), 'has the label of a summary'),
  (family) => unless(!toLowerWords(family).includes(family.type), 'has its type in its name'),
  ({ name }) => unless(!name.includes(':'), 'has a colon in its name'),
  (family) => unless(![family.name, ...labelNames(family)].some((name) => camelCase.test(name)), 'is in camelCase'),
  (family) =>
    unless(!toLowerWords(family).some((word) => abbreviations.includes(word)), 'has an abbreviated unit in its name'),
  ({ samples }) => {
    const series = samples.map(({ name, labels }) => JSON.stringify([name, labels.toSorted()]));
    return unless(new Set(series).size === series.length, 'has a series twice');
  },
];

/**
 * Returns what `promtool check metrics` would find, by the rules in
 * https://github.com/prometheus/client_golang/tree/main/prometheus/testutil/promlint.
 */
export const lintMetrics = (families: readonly Family[]): readonly string[] =>
  families.flatMap((family) => rules.flatMap((rule) => rule(family)).map((error) => `${family.name} ${error}`));
