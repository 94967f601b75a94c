import type { JsonObject } from '../../../schema/json/json.ts';
import { flaggedWord, isExpected, isFlagged, misfits, type PartnerStub, partnerKey } from './partner-stub.ts';

/** https://docs.walled.ai/walledprotect-20330875e0 */
export const walledaiStub: PartnerStub = {
  vendor: 'walledai',
  origins: ['https://services.walled.ai'],
  checks: [{ id: 'walledai.walledprotect', parameters: { credentials: { apiKey: partnerKey } }, finds: 'flagged' }],
  answer(call) {
    if (!isExpected(call, { path: '/v1/walled-protect', headers: { 'x-api-key': partnerKey } }))
      return { status: 403, body: { success: false, message: `Forbidden: ${flaggedWord}` } };
    const body = JSON.parse(call.text) as JsonObject;
    const wrong = misfits(body, {
      text: 'list',
      generic_safety_check: 'flag?',
      greetings_list: 'list?',
      compliance_list: 'list?',
      pii_list: 'list?',
    });
    const messages = (Array.isArray(body.text) ? body.text : []) as readonly JsonObject[];
    const areMessages = messages.every((message) => misfits(message, { role: 'text', content: 'text' }).length === 0);
    if (wrong.length > 0 || messages.length === 0 || !areMessages)
      return { status: 400, body: { success: false, message: 'Bad request' } };
    const isSafe = !messages.some(({ content }) => isFlagged(String(content)));
    const safety =
      body.generic_safety_check === true ? [{ safety: 'generic', isSafe, score: null, method: 'en-safety' }] : [];
    return {
      status: 200,
      body: { success: true, statusCode: 200, data: { safety, compliance: [], pii: [], greetings: [] } },
    };
  },
};
