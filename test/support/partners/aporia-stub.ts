import type { JsonObject } from '../../../schema/json/json.ts';
import { flaggedWord, isExpected, isFlagged, misfits, type PartnerStub, partnerKey } from './partner-stub.ts';

const projectID = '5a9e6c2e-3f0a-4f7d-9a49-2f0d8d0c3c11';

/** Returns the text to check, or undefined if the body does not contain it. */
const findTarget = ({ messages, response, validation_target: target }: JsonObject): string | undefined => {
  if (target === 'response') return typeof response === 'string' ? response : undefined;
  const [last] = ((messages ?? []) as readonly JsonObject[]).slice(-1);
  return target === 'prompt' && typeof last?.content === 'string' ? last.content : undefined;
};

/** https://gr-docs.aporia.com/fundamentals/integration/rest-api */
export const aporiaStub: PartnerStub = {
  vendor: 'aporia',
  origins: ['https://gr-prd.aporia.com'],
  checks: [
    {
      id: 'aporia.validateProject',
      parameters: { projectID, credentials: { apiKey: partnerKey } },
      finds: 'flagged',
    },
  ],
  answer(call) {
    const headers = { 'x-aporia-api-key': partnerKey };
    if (!isExpected(call, { path: `/${projectID}/validate`, headers }))
      return { status: 401, body: { detail: `Unauthorized: ${flaggedWord}` } };
    const body = JSON.parse(call.text) as JsonObject;
    const wrong = misfits(body, {
      messages: 'list',
      validation_target: 'text',
      response: 'text?',
      explain: 'flag?',
      session_id: 'text?',
      user: 'text?',
    });
    const text = findTarget(body);
    if (wrong.length > 0 || text === undefined) return { status: 422, body: { detail: 'Bad request' } };
    const action = isFlagged(text) ? 'block' : 'passthrough';
    const revised_response = isFlagged(text) ? 'The policies forbid this.' : text;
    return {
      status: 200,
      body: {
        action,
        revised_response,
        explain_log: null,
        policy_execution_result: { policy_log: [], action: { type: action, revised_message: revised_response } },
      },
    };
  },
};
