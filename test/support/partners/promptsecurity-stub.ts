import type { JsonObject } from '../../../schema/json/json.ts';
import { flaggedWord, isExpected, isFlagged, misfits, type PartnerStub, partnerKey } from './partner-stub.ts';

const parameters = { credentials: { apiDomain: 'eu.prompt.security', apiKey: partnerKey } };

/** https://docs.webrix.ai/docs/guardrails/prompt-security */
export const promptsecurityStub: PartnerStub = {
  vendor: 'promptsecurity',
  origins: ['https://eu.prompt.security'],
  checks: [
    { id: 'promptsecurity.protectPrompt', parameters, finds: 'flagged' },
    { id: 'promptsecurity.protectResponse', parameters, finds: 'flagged' },
  ],
  answer(call) {
    if (!isExpected(call, { path: '/api/protect', headers: { 'app-id': partnerKey } }))
      return { status: 401, body: { reason: `Unauthorized: ${flaggedWord}` } };
    const body = JSON.parse(call.text) as JsonObject;
    const parts = ['prompt', 'response'].filter((part) => body[part] !== undefined);
    const wrong = misfits(body, { prompt: 'text?', system_prompt: 'text?', response: 'text?', user: 'text?' });
    if (wrong.length > 0 || parts.length === 0) return { status: 400, body: { reason: 'Bad request' } };
    const judged = parts.map((part): readonly [string, JsonObject] => {
      const isBlocked = isFlagged(String(body[part]));
      const violations = isBlocked ? ['Harmful Content'] : [];
      return [part, { passed: !isBlocked, action: isBlocked ? 'block' : 'log', violations, modified_text: null }];
    });
    const action = judged.some(([, { passed }]) => passed === false) ? 'block' : 'log';
    return { status: 200, body: { status: 'success', result: { action, ...Object.fromEntries(judged) } } };
  },
};
