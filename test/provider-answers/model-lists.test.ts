import { expect, it } from 'vitest';
import { providerModels } from '../../plugins/providers/provider-models.ts';
import type { UpstreamRequest } from '../../plugins/sdk/http/http.ts';
import type { ProviderModelList } from '../../plugins/sdk/models/plugin-models.ts';
import type { PreparedTarget } from '../../runtime/engine/target/prepared-target.ts';
import { systemClock } from '../../runtime/in-memory/system-clock.ts';
import { readProviderList } from '../../runtime/model-catalogue/read-provider-list.ts';
import type { Pool } from '../fuzz/mutate/json.ts';
import { caseSeed, Random } from '../fuzz/support/random.ts';
import type { ScriptedAnswer } from '../support/servers/upstream-server.ts';
import { countOf, withOne } from './mutate/each-value.ts';
import { endless } from './mutate/endless.ts';
import { unreadable, wrong } from './mutate/odd-answer.ts';
import { credential } from './run/client.ts';
import { runs, seed } from './run/settings.ts';

const model = {
  ...{ id: 'm-1', name: 'models/m-1', aliases: ['m'], context_length: 8192, max_context_length: 8192 },
  ...{ endpoints: ['chat'], features: ['tools'], type: 'chat', context_window: 8192, inputTokenLimit: 8192 },
  ...{ capabilities: { vision: true, thinking: { supported: true } }, supportedGenerationMethods: ['generateContent'] },
  ...{ architecture: { input_modalities: ['text'], output_modalities: ['text'] }, supported_parameters: ['tools'] },
  ...{
    top_provider: { max_completion_tokens: 4096 },
    deprecation: '2027-01-01T00:00:00Z',
    shutdown_date: '2027-01-01',
  },
};
const right = { body: JSON.stringify({ data: [model], models: [model], has_more: false, next_page_token: '' }) };

const pool: Pool = { words: [...Object.keys(model), 'constructor', '__proto__'], donor: () => structuredClone(model) };

/** Reads a list whose answers are changed. Returns how often it was requested, and the result. */
const readChanged = async (list: ProviderModelList, change: (answer: ScriptedAnswer) => ScriptedAnswer) => {
  let asked = 0;
  const send = async (_: UpstreamRequest) => {
    asked += 1;
    const { status = 200, body = '' } = change(right);
    return { kind: 'answer', status, headers: [], body: { collect: async () => Buffer.from(body), discard: () => {} } };
  };
  const target = { basePath: '', origin: 'http://h', headers: [], secrets: [credential], upstream: () => ({ send }) };
  const why = await readProviderList(target as unknown as PreparedTarget, list, systemClock).then(
    () => undefined,
    (error: Error) => error.message,
  );
  return { asked, why };
};

/** The messages with which a list is rejected. */
const refusals =
  /^Its (?:answer is not a list of models|list has more than \d+ (?:pages|models))\.$|^It (?:answered \d+|refuses the credential \(40[13]\))\.$/;

const lists: readonly (readonly [string, ProviderModelList | undefined])[] = [
  ...Object.entries(providerModels.lists),
  ['openai', providerModels.openaiList],
];

it.each(lists)('any model list of %s is either read or rejected with one sentence', async (_, list) => {
  if (list === undefined) throw new Error('There is no list.');
  const faults = Object.values({ ...unreadable, ...wrong });
  const tried = [
    ...Array.from({ length: countOf(right) }, (_, number) => (answer: ScriptedAnswer) => withOne(answer, number)),
    ...Array.from({ length: runs * 20 }, (_, number) => {
      const random = new Random(caseSeed(seed, number));
      const fault = random.oneIn(10) ? endless : random.pick(faults);
      return (answer: ScriptedAnswer) => fault(answer, random, pool);
    }),
  ];
  for (const change of tried) {
    const { asked, why } = await readChanged(list, change);
    expect(asked, `ANSWER_SEED=${seed}`).toBeLessThanOrEqual(20);
    if (why !== undefined) expect(why, `ANSWER_SEED=${seed}`).toMatch(refusals);
  }
});
