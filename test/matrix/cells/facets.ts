import { isDeepStrictEqual } from 'node:util';
import type { ClientDriver } from '../clients/client-driver.ts';
import { expectedHeard, expectedTold } from '../clients/expected.ts';
import type { Answer, Ask, Heard, Told } from '../scenario.ts';

/** One thing of a request or an answer that is not as it was said. */
export interface Difference {
  readonly side: 'request' | 'answer';
  readonly facet: string;
  readonly expected: unknown;
  readonly got: unknown;
}

const differing = (
  side: Difference['side'],
  expected: Readonly<Record<string, unknown>>,
  got: Readonly<Record<string, unknown>>,
): readonly Difference[] =>
  Object.keys({ ...expected, ...got })
    .filter((facet) => !isDeepStrictEqual(expected[facet], got[facet]))
    .map((facet) => ({ side, facet, expected: expected[facet], got: got[facet] }));

/** Formats that pair results with calls by name or order have no ids for them. */
const withoutIds = (results: Heard['results'], heard: Heard['results']): Heard['results'] =>
  results.map((result, index) => (heard[index]?.id === '' ? { ...result, id: '' } : result));

export interface AskedOf {
  readonly ask: Ask;
  readonly stream: boolean;
  /** The model that the config names. */
  readonly model: string;
}

/** What the provider heard, beside what the client asked. */
export const requestDifferences = (
  { ask, stream, model }: AskedOf,
  client: ClientDriver,
  heard: Heard,
): readonly Difference[] => {
  const expected = expectedHeard(ask, stream, client);
  const results = withoutIds(expected.results, heard.results);
  return differing('request', { model, ...expected, results }, { ...heard });
};

/** What the client was told, beside what the provider answered. */
export const answerDifferences = (answer: Answer, client: ClientDriver, told: Told): readonly Difference[] => {
  const { dropped: _dropped, ...got } = told;
  const all = differing('answer', { ...expectedTold(answer, told, client) }, got);
  const isRefused = answer.kind === 'answer' && answer.finish === 'refusal';
  if (!isRefused || !client.finishes.stop.includes(told.finish)) return all;
  // A refusal that is told as a text like any other is a facet of its own.
  return all.map((difference) => (difference.facet === 'finish' ? { ...difference, facet: 'refusal' } : difference));
};
