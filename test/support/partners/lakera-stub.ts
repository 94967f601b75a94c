import type { JsonObject } from '../../../schema/json/json.ts';
import { flaggedWord, isExpected, isFlagged, misfits, type PartnerStub, partnerKey } from './partner-stub.ts';

/** https://docs.lakera.ai/docs/api/guard */
export const lakeraStub: PartnerStub = {
  vendor: 'lakera',
  origins: ['https://api.lakera.ai'],
  checks: [
    {
      id: 'lakera.guard',
      parameters: { projectID: 'project-1', credentials: { apiKey: partnerKey } },
      finds: 'flagged',
    },
  ],
  answer(call) {
    const headers = { authorization: `Bearer ${partnerKey}` };
    if (!isExpected(call, { path: '/v2/guard', headers }))
      return { status: 401, body: { message: `Unauthorized: ${flaggedWord}` } };
    const body = JSON.parse(call.text) as JsonObject;
    const wrong = misfits(body, {
      messages: 'list',
      project_id: 'text?',
      payload: 'flag?',
      breakdown: 'flag?',
      metadata: 'object?',
      dev_info: 'flag?',
    });
    const messages = (Array.isArray(body.messages) ? body.messages : []) as readonly JsonObject[];
    const roles = messages.map(({ role }) => role);
    if (wrong.length > 0 || !roles.every((role) => role === 'user' || role === 'assistant') || roles.length === 0)
      return { status: 400, body: { message: 'Bad request' } };
    const flagged = messages.some(({ content }) => isFlagged(String(content)));
    return {
      status: 200,
      body: {
        flagged,
        breakdown: [
          {
            project_id: 'project-1',
            policy_id: 'p',
            detector_id: 'd',
            detector_type: 'prompt_attack',
            detected: flagged,
          },
          { project_id: 'project-1', policy_id: 'p', detector_id: 'e', detector_type: 'pii/email', detected: false },
        ],
        metadata: { request_uuid: '8b2b6c1c-9f7a-4f8a-9c2d-8a44ca72e975' },
      },
    };
  },
};
