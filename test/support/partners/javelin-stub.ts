import type { JsonObject } from '../../../schema/json/json.ts';
import { flaggedWord, isExpected, isFlagged, misfits, type PartnerStub, partnerKey } from './partner-stub.ts';

/** https://docs.getjavelin.io/javelin-processors/standalone-guardrails */
export const javelinStub: PartnerStub = {
  vendor: 'javelin',
  origins: ['https://api-dev.javelin.live'],
  checks: [
    {
      id: 'javelin.guardrails',
      parameters: { credentials: { apiKey: partnerKey, application: 'my-app', domain: 'api-dev.javelin.live' } },
      finds: 'flagged',
    },
  ],
  answer(call) {
    const headers = { 'x-javelin-apikey': partnerKey, 'x-javelin-application': 'my-app' };
    if (!isExpected(call, { path: '/v1/guardrails/apply', headers }))
      return { status: 401, body: { error: `Unauthorized: ${flaggedWord}` } };
    const body = JSON.parse(call.text) as JsonObject;
    const wrong = misfits(body, { input: 'object', config: 'object?', metadata: 'object?' });
    const input = (body.input ?? {}) as JsonObject;
    if (wrong.length > 0 || misfits(input, { text: 'text' }).length > 0)
      return { status: 400, body: { error: 'Bad request' } };
    const flagged = isFlagged(String(input.text));
    return {
      status: 200,
      body: {
        assessments: [
          {
            promptinjectiondetection: {
              results: {
                categories: { prompt_injection: flagged, jailbreak: false },
                category_scores: { prompt_injection: flagged ? 0.85 : 0.02, jailbreak: 0.12 },
              },
              request_reject: flagged,
            },
          },
          { lang_detector: { results: { lang: 'en', prob: 0.95 }, request_reject: false } },
        ],
      },
    };
  },
};
