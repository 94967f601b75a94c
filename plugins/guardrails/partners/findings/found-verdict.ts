import type { JsonObject } from '../../../../schema/json/json.ts';
import type { Verdict } from '../../../sdk/guardrail/guardrail.ts';

/** The verdict of a partner that names what it found: a text in which it found nothing passes. */
export const foundVerdict = (vendor: string, found: readonly string[], more: JsonObject = {}): Verdict => {
  const names = [...new Set(found)].sort();
  const explanation = names.length === 0 ? `${vendor} found nothing.` : `${vendor} found ${names.join(', ')}.`;
  return { pass: names.length === 0, data: { explanation, found: names, ...more } };
};

/** The sentence of an explanation that names what was found, behind a space; empty if nothing was. */
export const foundSentence = (names: readonly string[]): string =>
  names.length === 0 ? '' : ` It found ${names.join(', ')}.`;

/** How often each name occurs. */
export const toCounts = (names: readonly string[]): { readonly [name: string]: number } => {
  const counts: Record<string, number> = {};
  for (const name of [...names].sort()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
};
