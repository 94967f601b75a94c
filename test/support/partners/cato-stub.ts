import type { JsonObject } from '../../../schema/json/json.ts';
import {
  flaggedWord,
  isExpected,
  isFlagged,
  misfits,
  type PartnerStub,
  partnerKey,
  personalAt,
  personalData,
} from './partner-stub.ts';

const redacted = ({ role = null, content = null }: JsonObject): JsonObject => ({
  role,
  content: String(content).replaceAll(personalData, '[EMAIL_1]'),
});

const detections = (name: string): JsonObject => ({ [name]: { detections: [{ message: flaggedWord }] } });

/** https://docs.litellm.ai/docs/proxy/guardrails/cato_networks */
export const catoStub: PartnerStub = {
  vendor: 'cato',
  origins: ['https://api.aisec.catonetworks.com'],
  checks: [{ id: 'cato.analyze', parameters: { credentials: { apiKey: partnerKey } }, finds: 'flagged' }],
  answer(call) {
    if (!isExpected(call, { path: '/fw/v1/analyze', headers: { authorization: `Bearer ${partnerKey}` } }))
      return { status: 401, body: { detail: `Unauthorized: ${flaggedWord}` } };
    const body = JSON.parse(call.text) as JsonObject;
    const { messages = [] } = body as { readonly messages?: readonly JsonObject[] };
    const wrong = messages.flatMap((each) => misfits(each, { role: 'text', content: 'text' }));
    if (misfits(body, { messages: 'list' }).length > 0 || wrong.length > 0 || messages.length === 0)
      return { status: 422, body: { detail: 'Validation error' } };
    const text = messages.map(({ content }) => String(content)).join('\n');
    const judged = (found: JsonObject): JsonObject => ({ analysis_time_ms: 10, policy_drill_down: found });
    if (isFlagged(text))
      return {
        status: 200,
        body: {
          analysis_result: judged(detections('Jailbreak')),
          required_action: { action_type: 'block_action', detection_message: text, policy_name: 'p' },
        },
      };
    if (personalAt(text).length > 0)
      return {
        status: 200,
        body: {
          analysis_result: judged(detections('PII')),
          required_action: { action_type: 'anonymize_action', policy_name: 'PII' },
          redacted_chat: { all_redacted_messages: messages.map(redacted) },
        },
      };
    return { status: 200, body: { analysis_result: judged({}), required_action: null } };
  },
};
