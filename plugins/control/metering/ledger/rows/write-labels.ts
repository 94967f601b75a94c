import { startOfDay } from '../../../../../schema/durations.ts';
import { type RowValues, rowInserter } from '../../../kernel/store/rows/row-inserter.ts';
import { storedText } from '../../../kernel/store/rows/stored-text.ts';
import type { Writing } from '../../../kernel/store/store.ts';
import type { BookedSums } from '../record/booked-attempt.ts';
import { digest } from '../record/digest.ts';
import type { Facts } from '../record/ledger-record.ts';
import { parsedLabels } from '../record/parsed-labels.ts';
import type { Sums } from '../record/summed-columns.ts';
import { type AdmitOptions, admitTexts, type Wanted, wantedText } from './admit-labels.ts';
import { labelColumns } from './ledger-columns.ts';
import { addedTo, SummedRows } from './summed-rows.ts';
import { toDimensions } from './write-hours.ts';

/** How many different labels are counted in one day and workspace, and how many different values of each. */
export interface LabelBounds {
  readonly names: number;
  readonly values: number;
}

const defaultBounds: LabelBounds = { names: 100, values: 10_000 };

/** The longest name and value that are counted apart, in characters. */
const longest = 200;

/** A label that attempts of a day have. */
interface Label {
  readonly name: Wanted;
  /** Absent if it is too long to be counted apart. */
  readonly value: Wanted | undefined;
  /** How its row begins if its value is counted apart, and if it shares the row of others. */
  readonly apart: RowValues;
  readonly other: RowValues;
}

const toLabel = (facts: Facts, day: number, [name, value]: readonly [string, string]): Label => {
  const whose = toDimensions(facts);
  const named = (shown: string, isOther: 0 | 1): RowValues => {
    const id = digest([day, storedText(name), shown, isOther, ...whose]);
    return [id, day, storedText(name), shown, isOther, ...whose];
  };
  return {
    name: wantedText(digest([facts.workspace_id, day]), name, day),
    value: value.length > longest ? undefined : wantedText(digest([facts.workspace_id, day, name]), value, day),
    apart: named(storedText(value), 0),
    other: named('', 1),
  };
};

const labelsOfDay = new WeakMap<Facts, { readonly day: number; readonly labels: readonly Label[] }>();

const toLabels = ({ facts, at }: BookedSums): readonly Label[] => {
  const day = startOfDay(at);
  const known = labelsOfDay.get(facts);
  if (known?.day === day) return known.labels;
  const all = Object.entries(parsedLabels(facts.metadata)).filter(([name]) => name.length <= longest);
  const labels = all.map((label) => toLabel(facts, day, label));
  labelsOfDay.set(facts, { day, labels });
  return labels;
};

const insertLabels = rowInserter('usage_labels', { columns: labelColumns, merge: () => addedTo('usage_labels') });

export interface WriteLabelsOptions extends Omit<AdmitOptions, 'most'> {
  readonly bounds: LabelBounds | undefined;
}

/** Adds what is new in the ledger to the sums by day and label, and answers the ids of texts that are in their sets. */
export const writeLabels = async (
  writing: Writing,
  all: readonly BookedSums[],
  { kind, before, bounds = defaultBounds }: WriteLabelsOptions,
): Promise<Iterable<string>> => {
  const labels: { readonly label: Label; readonly sums: Sums }[] = [];
  for (const booked of all) for (const label of toLabels(booked)) labels.push({ label, sums: booked.sums });
  if (labels.length === 0) return [];
  const options = { kind, before };
  const names = labels.map(({ label }) => label.name);
  const admittedNames = await admitTexts(writing, names, { ...options, most: bounds.names });
  const counted = labels.filter(({ label: { name } }) => before.has(name.id) || admittedNames.has(name.id));
  const values = counted.flatMap(({ label }) => label.value ?? []);
  const admittedValues = await admitTexts(writing, values, { ...options, most: bounds.values });
  const rows = new SummedRows();
  for (const { label, sums } of counted) {
    const { value, apart, other } = label;
    const isApart = value !== undefined && (before.has(value.id) || admittedValues.has(value.id));
    const named = isApart ? apart : other;
    rows.add(String(named[0]), named, sums);
  }
  await insertLabels(writing, kind, rows.values());
  return [...admittedNames, ...admittedValues];
};
