import type { JsonObject } from '../../../schema/json/json.ts';
import { flaggedWord, isExpected, isFlagged, misfits, type PartnerStub, partnerKey } from './partner-stub.ts';

/** https://docs.litellm.ai/docs/proxy/guardrails/lasso_security */
export const lassoStub: PartnerStub = {
  vendor: 'lasso',
  origins: ['https://server.lasso.security'],
  checks: [{ id: 'lasso.classify', parameters: { credentials: { apiKey: partnerKey } }, finds: 'flagged' }],
  answer(call) {
    if (!isExpected(call, { path: '/gateway/v3/classify', headers: { 'lasso-api-key': partnerKey } }))
      return { status: 401, body: { message: `Unauthorized: ${flaggedWord}` } };
    const body = JSON.parse(call.text) as JsonObject;
    const wrong = misfits(body, { messages: 'list', messageType: 'text', sessionId: 'text?', userId: 'text?' });
    const messages = (body.messages ?? []) as readonly JsonObject[];
    if (wrong.length > 0 || messages.length === 0 || body.messageType !== 'PROMPT')
      return { status: 422, body: { message: 'Bad request' } };
    const isViolated = messages.some(({ content }) => isFlagged(String(content)));
    const finding = { name: 'Jailbreak', category: 'SAFETY', action: 'BLOCK', severity: 'HIGH', score: 0.95 };
    return {
      status: 200,
      body: {
        deputies: { jailbreak: isViolated, sexual: false, 'pattern-detection': false, 'custom-policies': false },
        findings: isViolated ? { jailbreak: [finding] } : {},
        violations_detected: isViolated,
      },
    };
  },
};
