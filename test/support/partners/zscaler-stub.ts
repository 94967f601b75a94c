import type { JsonObject } from '../../../schema/json/json.ts';
import { flaggedWord, isExpected, isFlagged, misfits, type PartnerStub, partnerKey } from './partner-stub.ts';

/** https://github.com/zscaler/zscaler-sdk-python */
export const zscalerStub: PartnerStub = {
  vendor: 'zscaler',
  origins: ['https://api.us1.zseclipse.net'],
  checks: [
    { id: 'zscaler.aiGuard', parameters: { policyId: '760', credentials: { apiKey: partnerKey } }, finds: 'flagged' },
  ],
  answer(call) {
    const isNamed = call.path === '/v1/detection/execute-policy';
    const path = isNamed ? call.path : '/v1/detection/resolve-and-execute-policy';
    if (!isExpected(call, { path, headers: { authorization: `Bearer ${partnerKey}` } }))
      return { status: 401, body: { message: `Unauthorized: ${flaggedWord}` } };
    const body = JSON.parse(call.text) as JsonObject;
    const wrong = misfits(body, { content: 'text', direction: 'text', ...(isNamed && { policyId: 'number?' }) });
    if (wrong.length > 0 || !['IN', 'OUT'].includes(String(body.direction)) || body.content === '')
      return { status: 400, body: { message: 'Bad request' } };
    const triggered = isFlagged(String(body.content));
    const action = triggered ? 'BLOCK' : 'ALLOW';
    return {
      status: 200,
      body: {
        transactionId: 't-1',
        statusCode: 200,
        errorMsg: null,
        detectorErrorCount: 0,
        action,
        severity: triggered ? 'CRITICAL' : 'NONE',
        direction: body.direction ?? 'IN',
        detectorResponses: { toxicity: { statusCode: 200, triggered, action, latency: 12 } },
        throttlingDetails: [],
      },
    };
  },
};
