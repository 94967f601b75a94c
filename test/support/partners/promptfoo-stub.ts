import type { JsonObject } from '../../../schema/json/json.ts';
import { isFlagged, misfits, type PartnerStub, personalAt, personalData } from './partner-stub.ts';

/** Counts characters as Python does: by code points. */
const points = (text: string): number => [...text].length;

const results: { readonly [path: string]: (text: string) => JsonObject } = {
  '/v1/guard': (text) => ({
    categories: { prompt_injection: isFlagged(text), jailbreak: false },
    category_scores: { prompt_injection: isFlagged(text) ? 0.99 : 0.01, jailbreak: 0.01 },
    flagged: isFlagged(text),
  }),
  '/v1/harm': (text) => ({
    categories: { indiscriminate_weapons: isFlagged(text), hate: false },
    category_scores: { indiscriminate_weapons: isFlagged(text) ? 1 : 0, hate: 0 },
    flagged: isFlagged(text),
  }),
  '/v1/pii': (text) => {
    const found = personalAt(text).map((at) => points(text.slice(0, at)));
    return {
      categories: { pii: found.length > 0 },
      category_scores: { pii: found.length > 0 ? 1 : 0 },
      flagged: found.length > 0,
      payload: {
        pii: found.map((start) => ({
          entity_type: 'EMAIL',
          start,
          end: start + points(personalData),
          pii: personalData,
        })),
      },
    };
  },
};

/** https://www.promptfoo.dev/docs/red-team/guardrails/ */
export const promptfooStub: PartnerStub = {
  vendor: 'promptfoo',
  origins: ['https://api.promptfoo.dev'],
  checks: [
    { id: 'promptfoo.guard', parameters: {}, finds: 'flagged' },
    { id: 'promptfoo.harm', parameters: {}, finds: 'flagged' },
    { id: 'promptfoo.pii', parameters: {}, finds: 'personal' },
  ],
  answer(call) {
    const result = results[call.path];
    if (call.method !== 'POST' || result === undefined || call.header('content-type') !== 'application/json')
      return { status: 404, body: { error: 'Not found' } };
    const body = JSON.parse(call.text) as JsonObject;
    if (misfits(body, { input: 'text' }).length > 0) return { status: 400, body: { error: 'Invalid request' } };
    return { status: 200, body: { model: 'promptfoo', results: [result(String(body.input))] } };
  },
};
