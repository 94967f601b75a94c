import type { JsonObject } from '../../../schema/json/json.ts';
import { flaggedWord, isExpected, isFlagged, misfits, type PartnerStub, partnerKey } from './partner-stub.ts';

const paths = ['/api/validate/request', '/api/validate/response'];

/** https://github.com/akto-api-security/akto/tree/master/apps/guardrails-service */
export const aktoStub: PartnerStub = {
  vendor: 'akto',
  origins: ['https://guardrails.akto.example'],
  checks: [
    {
      id: 'akto.scan',
      parameters: { credentials: { apiKey: partnerKey, apiDomain: 'guardrails.akto.example' } },
      finds: 'flagged',
    },
  ],
  answer(call) {
    const path = paths.find((each) => each === call.path);
    if (path === undefined) return { status: 404, body: { error: 'Not found' } };
    if (!isExpected(call, { path, headers: { authorization: `Bearer ${partnerKey}` } }))
      return { status: 401, body: { error: `Unauthorized: ${flaggedWord}` } };
    const body = JSON.parse(call.text) as JsonObject;
    const wrong = misfits(body, { payload: 'text', contextSource: 'text?', skipThreat: 'flag?' });
    if (wrong.length > 0 || body.payload === '') return { status: 400, body: { error: 'Invalid request' } };
    const flagged = isFlagged(String(body.payload));
    return {
      status: 200,
      body: {
        Allowed: !flagged,
        Modified: false,
        ModifiedPayload: '',
        Reason: flagged ? `It says ${flaggedWord}.` : '',
        Metadata: {},
      },
    };
  },
};
