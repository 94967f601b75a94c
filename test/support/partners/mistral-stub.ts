import type { JsonObject } from '../../../schema/json/json.ts';
import {
  flaggedWord,
  isExpected,
  isFlagged,
  misfits,
  type PartnerStub,
  partnerKey,
  personalAt,
} from './partner-stub.ts';

const toCategories = (text: string): JsonObject => ({
  sexual: false,
  hate_and_discrimination: false,
  violence_and_threats: false,
  dangerous: isFlagged(text),
  criminal: false,
  selfharm: false,
  health: false,
  financial: false,
  law: false,
  pii: personalAt(text).length > 0,
  jailbreaking: false,
});

/** https://docs.mistral.ai/api/#tag/classifiers */
export const mistralStub: PartnerStub = {
  vendor: 'mistral',
  origins: ['https://api.mistral.ai'],
  checks: [
    {
      id: 'mistral.moderateContent',
      parameters: { categories: ['dangerous', 'pii'], credentials: { apiKey: partnerKey } },
      finds: 'flagged',
    },
  ],
  answer(call) {
    const headers = { authorization: `Bearer ${partnerKey}` };
    if (!isExpected(call, { path: '/v1/moderations', headers }))
      return { status: 401, body: { detail: `Unauthorized: ${flaggedWord}` } };
    const body = JSON.parse(call.text) as JsonObject;
    if (misfits(body, { model: 'text', input: 'list' }).length > 0)
      return {
        status: 422,
        body: { object: 'error', message: { detail: [] }, type: 'invalid_request_error', code: null },
      };
    const input = (body.input as readonly unknown[]).map(String);
    return {
      status: 200,
      body: {
        id: 'mod-1',
        model: body.model ?? null,
        results: input.map((text) => ({
          categories: toCategories(text),
          category_scores: { dangerous: isFlagged(text) ? 0.9 : 0.01 },
        })),
      },
    };
  },
};
