import type { JsonObject } from '../../../../schema/json/json.ts';
import type { Verdict } from '../../../sdk/guardrail/guardrail.ts';

/** Returns a verdict that names what a partner found. A text in which it found nothing passes. */
export const foundVerdict = (vendor: string, found: readonly string[], more: JsonObject = {}): Verdict => {
  const names = [...new Set(found)].sort();
  const explanation = names.length === 0 ? `${vendor} found nothing.` : `${vendor} found ${names.join(', ')}.`;
  return { pass: names.length === 0, data: { explanation, found: names, ...more } };
};

/** Returns a sentence that names what was found, with a leading space. Empty if nothing was. */
export const foundSentence = (names: readonly string[]): string =>
  names.length === 0 ? '' : ` It found ${names.join(', ')}.`;

/** Counts the occurrences of each name, which services choose: it may be that of something that objects inherit. */
export const toCounts = (names: readonly string[]): { readonly [name: string]: number } => {
  const counts = new Map<string, number>();
  for (const name of [...names].sort()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries(counts);
};
