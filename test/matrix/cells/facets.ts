import { isDeepStrictEqual } from 'node:util';
import type { ClientDriver } from '../clients/client-driver.ts';
import { expectedHeard, expectedReceived, expectedWaits, type LastStep } from '../clients/expected.ts';
import type { Answer, Heard, Received, Scenario } from '../scenario.ts';

/** One part of a request or answer that differs from the original. */
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
 * Restores the original ids of the received calls and results if the provider's format has other ids or none. Results belong to
 * the calls with their ids, or, without ids, to the calls at the same positions.
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

/** The properties of the provider: the model that the config names, and whether calls have other ids. */
export interface AskedOf {
  readonly model: string;
  readonly hasOwnIds: boolean;
}

/** Compares the request that the provider received with the client's. */
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

/** Splits off the token counts that not every format has, as separate facets. */
const withCountsApart = ({
  usage,
  ...received
}: Omit<Received, 'dropped' | 'waits'>): Readonly<Record<string, unknown>> => {
  if (usage === undefined) return received;
  const { cached, reasoning, ...counts } = usage;
  return { ...received, usage: counts, cached, 'reasoning tokens': reasoning };
};

/** Compares the answer that the client received with the provider's. */
export const answerDifferences = (answer: Answer, client: ClientDriver, received: Received): readonly Difference[] => {
  const { dropped: _dropped, waits: _waits, ...got } = received;
  const all = differing('answer', withCountsApart(expectedReceived(answer, received, client)), withCountsApart(got));
  const isRefused = answer.kind === 'answer' && answer.finish === 'refusal';
  if (!isRefused || !client.finishes.stop.includes(received.finish)) return all;
  // A refusal that arrives as ordinary text is a separate facet.
  return all.map((difference) => (difference.facet === 'finish' ? { ...difference, facet: 'refusal' } : difference));
};

/** Compares how the client was informed when to retry, and whether it then repeated the same request. */
export const retryDifferences = (
  scenario: Scenario,
  {
    waits,
    heard,
    sendsRetryAfter,
  }: { readonly waits: Received['waits']; readonly heard: readonly Heard[]; readonly sendsRetryAfter: boolean },
): readonly Difference[] => {
  const answer = differing('answer', { waits: expectedWaits(scenario, sendsRetryAfter) }, { waits });
  if (scenario.refused === undefined) return answer;
  const [first, ...others] = heard;
  return [...answer, ...differing('request', { again: [first] }, { again: others })];
};
