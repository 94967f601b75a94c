import { describe, expect, it } from 'vitest';
import { clientDrivers } from '../clients/client-drivers.ts';
import { expectedHeard, expectedReceived, lastStep } from '../clients/expected.ts';
import { families } from '../families.ts';
import type { Heard, Received } from '../scenario.ts';
import { scenarios } from '../scenarios.ts';
import { type JudgedCell, judgeCell } from './judge-cell.ts';

const found = <T>(list: readonly T[], is: (each: T) => boolean): T => {
  const each = list.find(is);
  if (each === undefined) throw new Error('There is no such one.');
  return each;
};

const anthropicMessages = found(clientDrivers, ({ library }) => library === '@anthropic-ai/sdk');

interface Changes {
  readonly heard?: Partial<Heard>;
  readonly received?: Partial<Received>;
}

/** Creates a cell in which everything arrived unchanged, except for the given changes. */
const toCell = (familyId: string, scenarioId: string, { heard, received }: Changes = {}): JudgedCell => {
  const family = found(families, ({ id }) => id === familyId);
  const scenario = found(scenarios, ({ id }) => id === scenarioId);
  const step = lastStep(scenario, false, false);
  const nothing: Received = { text: '', reasoning: '', calls: [], refusal: '', finish: '', dropped: [], waits: [] };
  const expected = expectedReceived(step.answer, nothing, anthropicMessages);
  return {
    client: anthropicMessages,
    family,
    scenario,
    stream: false,
    proves: false,
    sendsRetryAfter: true,
    heard: [{ model: family.model, ...expectedHeard(step, anthropicMessages), ...heard }],
    received: { dropped: [], waits: [], ...expected, ...received },
  };
};

const toFacets = (cell: JudgedCell): readonly string[] => judgeCell(cell).errors.map(({ facet }) => facet);

describe('a judged cell', () => {
  it('has no errors if everything arrived unchanged', () => {
    expect(judgeCell(toCell('openai', 'parallel tools'))).toEqual({ lost: [], isText: false, errors: [] });
  });

  it('has an error for each value that differs from the expected one', () => {
    const cell = toCell('openai', 'text', {
      heard: { user: ['Bye.'], maxTokens: 7 },
      received: { finish: 'max_tokens' },
    });
    expect(toFacets(cell)).toEqual(['user', 'maxTokens', 'finish']);
  });

  it('lists a declared loss if it is reported, and has an error otherwise', () => {
    const heard = { documents: [] };
    const received = { dropped: ['turns[0].parts[1].media'] };
    expect(judgeCell(toCell('groq', 'document', { heard, received })).lost).toEqual(['turns.parts.media']);
    expect(toFacets(toCell('groq', 'document', { heard }))).toEqual(['documents']);
  });

  it('has an error if the client gets no retry-after, or does not retry exactly once with the same request', () => {
    const cell = toCell('openai', 'retry', { received: { waits: ['1'] } });
    const twice = { ...cell, heard: [...cell.heard, ...cell.heard] };
    expect(toFacets(twice)).toEqual([]);
    expect(toFacets({ ...twice, received: { ...twice.received, waits: [''] } })).toEqual(['waits']);
    expect(toFacets(cell)).toEqual(['again']);
    expect(toFacets({ ...cell, heard: [...cell.heard, ...twice.heard] })).toEqual(['again']);
    const changed = toCell('openai', 'retry', { heard: { user: ['Hurry!'] } });
    expect(toFacets({ ...cell, heard: [...changed.heard, ...cell.heard] })).toEqual(['again']);
  });

  it('has an error if the vendor rejected the request', () => {
    const refused = { ...toCell('groq', 'document'), heard: [new Error('messages[0]: is not supported.')] };
    expect(toFacets(refused)).toEqual(['refused']);
  });

  it('may have call ids in the form of the provider if each result still belongs to its call', () => {
    const { calls, results } = expectedHeard(
      lastStep(
        found(scenarios, ({ id }) => id === 'parallel tools'),
        false,
        false,
      ),
      anthropicMessages,
    );
    const renamed = { calls: calls.map((call, at) => ({ ...call, id: `id${at}` })) };
    const paired = { ...renamed, results: results.map((result, at) => ({ ...result, id: `id${at}` })) };
    const crossed = { ...renamed, results: results.map((result, at) => ({ ...result, id: `id${1 - at}` })) };
    expect(toFacets(toCell('mistral-ai', 'parallel tools', { heard: paired }))).toEqual([]);
    expect(toFacets(toCell('mistral-ai', 'parallel tools', { heard: crossed }))).toEqual(['results']);
    expect(toFacets(toCell('openai', 'parallel tools', { heard: paired }))).toEqual(['calls', 'results']);
  });

  it('has an error if two calls to which the provider gives no ids arrive with the same id', () => {
    const { calls } = toCell('google, Gemini 2.5', 'parallel tools').received;
    const same = { received: { calls: calls.map((call) => ({ ...call, id: 'gw-1' })) } };
    expect(toFacets(toCell('google, Gemini 2.5', 'parallel tools', same))).toEqual(['calls']);
  });
});
