import { describe, expect, it } from 'vitest';
import { clientDrivers } from '../clients/client-drivers.ts';
import { expectedHeard, expectedTold, lastStep } from '../clients/expected.ts';
import { families } from '../families.ts';
import type { Heard, Told } from '../scenario.ts';
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
  readonly told?: Partial<Told>;
}

/** A cell in which everything arrived as it was, but for the changes. */
const cellOf = (familyId: string, scenarioId: string, { heard, told }: Changes = {}): JudgedCell => {
  const family = found(families, ({ id }) => id === familyId);
  const scenario = found(scenarios, ({ id }) => id === scenarioId);
  const step = lastStep(scenario, false, false);
  const nothing: Told = { text: '', reasoning: '', calls: [], refusal: '', finish: '', dropped: [], waits: [] };
  const expected = expectedTold(step.answer, nothing, anthropicMessages);
  return {
    client: anthropicMessages,
    family,
    scenario,
    stream: false,
    proves: false,
    tellsWait: true,
    heard: [{ model: family.model, ...expectedHeard(step, anthropicMessages), ...heard }],
    told: { dropped: [], waits: [], ...expected, ...told },
  };
};

const facetsOf = (cell: JudgedCell): readonly string[] => judgeCell(cell).faults.map(({ facet }) => facet);

describe('a cell', () => {
  it('has no fault if everything arrived as it was', () => {
    expect(judgeCell(cellOf('openai', 'parallel tools'))).toEqual({ lost: [], isText: false, faults: [] });
  });

  it('has a fault for each thing that is not as it was said', () => {
    const cell = cellOf('openai', 'text', { heard: { user: ['Bye.'], maxTokens: 7 }, told: { finish: 'max_tokens' } });
    expect(facetsOf(cell)).toEqual(['user', 'maxTokens', 'finish']);
  });

  it('loses what is declared and told, and has a fault where it was not told', () => {
    const heard = { documents: [] };
    const told = { dropped: ['turns[0].parts[1].media'] };
    expect(judgeCell(cellOf('groq', 'document', { heard, told })).lost).toEqual(['turns.parts.media']);
    expect(facetsOf(cellOf('groq', 'document', { heard }))).toEqual(['documents']);
  });

  it('has a fault where a client is not told when to ask again, asks too often, or asks something else', () => {
    const cell = cellOf('openai', 'retry', { told: { waits: ['1'] } });
    const twice = { ...cell, heard: [...cell.heard, ...cell.heard] };
    expect(facetsOf(twice)).toEqual([]);
    expect(facetsOf({ ...twice, told: { ...twice.told, waits: [''] } })).toEqual(['waits']);
    expect(facetsOf(cell)).toEqual(['again']);
    expect(facetsOf({ ...cell, heard: [...cell.heard, ...twice.heard] })).toEqual(['again']);
    const changed = cellOf('openai', 'retry', { heard: { user: ['Hurry!'] } });
    expect(facetsOf({ ...cell, heard: [...changed.heard, ...cell.heard] })).toEqual(['again']);
  });

  it('has a fault where the vendor refused the request', () => {
    const refused = { ...cellOf('groq', 'document'), heard: [new Error('messages[0]: is not supported.')] };
    expect(facetsOf(refused)).toEqual(['refused']);
  });

  it('may have ids of calls in the form of the provider, if results still belong to their calls', () => {
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
    expect(facetsOf(cellOf('mistral-ai', 'parallel tools', { heard: paired }))).toEqual([]);
    expect(facetsOf(cellOf('mistral-ai', 'parallel tools', { heard: crossed }))).toEqual(['results']);
    expect(facetsOf(cellOf('openai', 'parallel tools', { heard: paired }))).toEqual(['calls', 'results']);
  });

  it('has a fault where two calls without ids of their own are told with the same id', () => {
    const { calls } = cellOf('google, Gemini 2.5', 'parallel tools').told;
    const same = { told: { calls: calls.map((call) => ({ ...call, id: 'gw-1' })) } };
    expect(facetsOf(cellOf('google, Gemini 2.5', 'parallel tools', same))).toEqual(['calls']);
  });
});
