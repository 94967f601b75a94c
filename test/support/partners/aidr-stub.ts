import type { JsonObject } from '../../../schema/json/json.ts';
import {
  flaggedWord,
  isExpected,
  isFlagged,
  misfits,
  type PartnerAnswer,
  type PartnerStub,
  partnerKey,
  personalAt,
  personalData,
} from './partner-stub.ts';

const refused = (status: number, code: string): PartnerAnswer => ({
  status,
  body: { request_id: 'prq_1', status: code, summary: `Not accepted: ${flaggedWord}`, result: null },
});

const redacted = ({ role = null, content = null }: JsonObject): JsonObject => ({
  role,
  content: String(content).replaceAll(personalData, '<EMAIL_ADDRESS>'),
});

/** https://github.com/CrowdStrike/aidr-python */
export const aidrStub: PartnerStub = {
  vendor: 'crowdstrike-aidr',
  origins: ['https://api.crowdstrike.com'],
  checks: [
    {
      id: 'crowdstrike-aidr.guardChatCompletions',
      parameters: { credentials: { apiKey: partnerKey } },
      finds: 'flagged',
    },
  ],
  answer(call) {
    // The base URL of its cloud has a path, but those in tests have none.
    const path = ['/v1/guard_chat_completions', '/aidr/aiguard/v1/guard_chat_completions'].find(
      (each) => each === call.path,
    );
    if (path === undefined) return refused(404, 'NotFound');
    if (!isExpected(call, { path, headers: { authorization: `Bearer ${partnerKey}` } }))
      return refused(401, 'Unauthorized');
    const body = JSON.parse(call.text) as JsonObject;
    const wrong = misfits(body, {
      guard_input: 'object',
      event_type: 'text?',
      app_id: 'text?',
      llm_provider: 'text?',
      model: 'text?',
    });
    const { messages = [] } = (body.guard_input ?? {}) as { readonly messages?: readonly JsonObject[] };
    const known = ['input', 'output'].includes(String(body.event_type));
    if (wrong.length > 0 || messages.length === 0 || !known) return refused(400, 'ValidationError');
    const text = messages.map(({ content }) => String(content)).join('\n');
    const blocked = isFlagged(text);
    const transformed = !blocked && personalAt(text).length > 0;
    return {
      status: 200,
      body: {
        request_id: 'prq_1',
        request_time: '2026-01-01T00:00:00Z',
        response_time: '2026-01-01T00:00:01Z',
        status: 'Success',
        summary: 'Done.',
        result: {
          guard_output: transformed ? { messages: messages.map(redacted) } : {},
          blocked,
          transformed,
          policy: 'aidr_app_policy',
          detectors: {
            malicious_prompt: { detected: blocked, data: null },
            confidential_and_pii_entity: { detected: transformed, data: null },
          },
        },
      },
    };
  },
};
