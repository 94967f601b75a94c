import type { JsonObject } from '../../../schema/json/json.ts';
import { flaggedWord, isExpected, isFlagged, misfits, type PartnerStub, partnerKey } from './partner-stub.ts';

/** https://github.com/Portkey-AI/gateway/tree/main/plugins/sydelabs */
export const sydelabsStub: PartnerStub = {
  vendor: 'sydelabs',
  origins: ['https://guard.sydelabs.ai'],
  checks: [{ id: 'sydelabs.sydeguard', parameters: { credentials: { apiKey: partnerKey } }, finds: 'flagged' }],
  answer(call) {
    if (!isExpected(call, { path: '/api/v1/guard/generate-score', headers: { 'x-api-key': partnerKey } }))
      return { status: 401, body: { error: `Unauthorized: ${flaggedWord}` } };
    const body = JSON.parse(call.text) as JsonObject;
    if (misfits(body, { prompt: 'text' }).length > 0 || body.prompt === '')
      return { status: 400, body: { error: 'Bad request' } };
    const risk = isFlagged(String(body.prompt));
    const score = risk ? 0.84 : 0.01;
    return {
      status: 200,
      body: {
        error: null,
        id: '661f5105dc31c4f221fde9e5',
        score,
        category_scores: [
          { error: null, category: 'EVASION', score: 0.02, risk: false },
          { error: null, category: 'PROMPT_INJECT', score, risk },
          { error: null, category: 'TOXIC', score: 0.03, risk: false },
        ],
        overall_risk: risk,
      },
    };
  },
};
