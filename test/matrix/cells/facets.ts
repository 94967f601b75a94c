import { isDeepStrictEqual } from 'node:util';
import type { ClientDriver } from '../clients/client-driver.ts';
import { expectedHeard, expectedTold, expectedWaits, type LastStep } from '../clients/expected.ts';
import type { Answer, Heard, Scenario, Told } from '../scenario.ts';

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

type Calling = Pick<Heard, 'calls' | 'results'>;

/**
 * The calls and results that were heard with the ids that they had, where a provider's form of ids is another one, or has
 * none. Results belong to the calls of their ids, or without ids to those at the same place.
 */
const withOwnIds = ({ calls, results }: Calling, expected: Calling): Calling => {
  const own = new Map(calls.map(({ id }, at) => [id, expected.calls[at]?.id ?? id]));
  const hasIds = !own.has('') && own.size === calls.length;
  const idAt = (at: number): string => expected.calls[at]?.id ?? '';
  return {
    calls: calls.map((call, at) => (call.id === '' || hasIds ? { ...call, id: idAt(at) } : call)),
    results: results.map((result, at) => ({
      ...result,
      id: result.id === '' ? (expected.results[at]?.id ?? '') : hasIds ? (own.get(result.id) ?? result.id) : result.id,
    })),
  };
};

/** Who is asked: the model that the config names, and whether calls have other ids there. */
export interface AskedOf {
  readonly model: string;
  readonly hasOwnIds: boolean;
}

/** What the provider heard, beside what the client asked. */
export const requestDifferences = (
  step: LastStep,
  { client, model, hasOwnIds }: AskedOf & { readonly client: ClientDriver },
  heard: Heard,
): readonly Difference[] => {
  const { maxTokens: limit = 0 } = heard;
  const isMore = client.addsToLimit !== undefined && limit > step.ask.maxTokens;
  const expected = { model, ...expectedHeard(step, client), ...(isMore && { maxTokens: limit }) };
  return differing('request', expected, { ...heard, ...(hasOwnIds && withOwnIds(heard, expected)) });
};

/** The counts of tokens that not every format has are facets of their own. */
const withCountsApart = ({ usage, ...told }: Omit<Told, 'dropped' | 'waits'>): Readonly<Record<string, unknown>> => {
  if (usage === undefined) return told;
  const { cached, reasoning, ...counts } = usage;
  return { ...told, usage: counts, cached, 'reasoning tokens': reasoning };
};

/** What the client was told, beside what the provider answered. */
export const answerDifferences = (answer: Answer, client: ClientDriver, told: Told): readonly Difference[] => {
  const { dropped: _dropped, waits: _waits, ...got } = told;
  const all = differing('answer', withCountsApart(expectedTold(answer, told, client)), withCountsApart(got));
  const isRefused = answer.kind === 'answer' && answer.finish === 'refusal';
  if (!isRefused || !client.finishes.stop.includes(told.finish)) return all;
  // A refusal that is told as a text like any other is a facet of its own.
  return all.map((difference) => (difference.facet === 'finish' ? { ...difference, facet: 'refusal' } : difference));
};

/** Whether a client that was refused was told when to ask again, and then asked the same. */
export const retryDifferences = (
  scenario: Scenario,
  {
    waits,
    heard,
    tellsWait,
  }: { readonly waits: Told['waits']; readonly heard: readonly Heard[]; readonly tellsWait: boolean },
): readonly Difference[] => {
  const answer = differing('answer', { waits: expectedWaits(scenario, tellsWait) }, { waits });
  if (scenario.refused === undefined) return answer;
  const [first, ...others] = heard;
  return [...answer, ...differing('request', { again: [first] }, { again: others })];
};
