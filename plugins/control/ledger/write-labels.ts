import { keptText } from '../store/kept-text.ts';
import type { Writing } from '../store/store.ts';
import type { UsageLabelRow } from '../store/tables.ts';
import { admitTexts, type Wanted, wantedId } from './admit-labels.ts';
import type { BookedSums } from './booked-attempt.ts';
import { dayMs } from './day-ms.ts';
import { digest } from './digest.ts';
import { inChunks } from './in-chunks.ts';
import { parsedLabels } from './parsed-labels.ts';
import { addSums } from './summed-columns.ts';
import { addedTo, dimensionsOf, summedById } from './write-hours.ts';

/** How many different labels are counted in one day and workspace, and how many different values of each. */
export interface LabelBounds {
  readonly names: number;
  readonly values: number;
}

const usualBounds: LabelBounds = { names: 100, values: 10_000 };

/** The longest name and value that are counted apart, in characters. */
const longest = 200;

interface Label {
  readonly booked: BookedSums;
  readonly day: number;
  readonly name: string;
  readonly value: string;
}

const dayOf = ({ at }: BookedSums): number => Math.floor(at / dayMs) * dayMs;

const labelsOf = (booked: BookedSums): readonly Label[] => {
  const labels = Object.entries(parsedLabels(booked.facts.metadata));
  const day = dayOf(booked);
  return labels.flatMap(([name, value]) => (name.length > longest ? [] : [{ booked, day, name, value }]));
};

/** Those of the same day that have all labels and dimensions in common, as one with their sums: in a batch most do. */
const alike = (all: readonly BookedSums[]): readonly BookedSums[] => {
  const groups = new Map<string, BookedSums>();
  for (const booked of all) {
    const { organisation_id, workspace_id, key_id, provider, model, config, metadata } = booked.facts;
    const parts = [dayOf(booked), organisation_id, workspace_id, key_id, provider, model, config, metadata];
    const key = JSON.stringify(parts);
    const before = groups.get(key);
    groups.set(key, before === undefined ? booked : { ...booked, sums: addSums(before.sums, booked.sums) });
  }
  return [...groups.values()];
};

const wantedName = ({ booked: { facts }, day, name }: Label): Wanted => ({
  ...{ set: digest([facts.workspace_id, day]), text: name, day },
});

const wantedValue = ({ booked: { facts }, day, name, value }: Label): Wanted => ({
  ...{ set: digest([facts.workspace_id, day, name]), text: value, day },
});

const toRow = ({ booked: { facts, sums }, day, name, value }: Label, isApart: boolean): UsageLabelRow => {
  const dimensions = dimensionsOf(facts);
  const shown = { name: keptText(name), value: isApart ? keptText(value) : '' };
  const is_other = isApart ? 0 : 1;
  const id = digest([day, name, shown.value, is_other, ...Object.values(dimensions)]);
  return { id, day, ...shown, is_other, ...dimensions, ...sums };
};

/** Adds what is new in the ledger to the sums by day and label. */
export const writeLabels = async (
  writing: Writing,
  all: readonly BookedSums[],
  bounds: LabelBounds = usualBounds,
): Promise<void> => {
  const labels = alike(all).flatMap(labelsOf);
  const names = await admitTexts(writing, labels.map(wantedName), bounds.names);
  const counted = labels.filter((label) => names.has(wantedId(wantedName(label))));
  const short = counted.filter(({ value }) => value.length <= longest);
  const values = await admitTexts(writing, short.map(wantedValue), bounds.values);
  const rows = counted.map((label) => toRow(label, values.has(wantedId(wantedValue(label)))));
  await inChunks(summedById(rows), (chunk) =>
    writing
      .insertInto('usage_labels')
      .values([...chunk])
      .onConflict((conflict) => conflict.column('id').doUpdateSet(addedTo('usage_labels')))
      .execute(),
  );
};
