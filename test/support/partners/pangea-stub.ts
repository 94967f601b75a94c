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

const success = (result: JsonObject): PartnerAnswer => ({
  status: 200,
  body: { request_id: 'prq_1', status: 'Success', summary: 'Done.', result },
});

/** https://pangea.cloud/docs/ai-guard/apis */
const guard = (body: JsonObject): PartnerAnswer => {
  const wrong = misfits(body, { text: 'text', recipe: 'text?', debug: 'flag?', overrides: 'object?' });
  if (wrong.length > 0 || Buffer.byteLength(String(body.text)) > 20 * 1024) return refused(400, 'ValidationError');
  const text = String(body.text);
  return success({
    recipe: body.recipe ?? 'pangea_prompt_guard',
    blocked: isFlagged(text),
    prompt_text: text,
    detectors: {
      prompt_injection: { detected: isFlagged(text), data: null },
      pii_entity: { detected: personalAt(text).length > 0, data: null },
      malicious_entity: null,
    },
  });
};

/** https://pangea.cloud/docs/api/redact */
const redact = (body: JsonObject): PartnerAnswer => {
  if (misfits(body, { text: 'text', return_result: 'flag?', debug: 'flag?' }).length > 0)
    return refused(400, 'ValidationError');
  const text = String(body.text);
  const redacted = text.replaceAll(personalData, '<EMAIL_ADDRESS>');
  return success({
    ...(body.return_result !== false && { redacted_text: redacted }),
    count: personalAt(text).length,
    report: null,
  });
};

const operations: { readonly [path: string]: (body: JsonObject) => PartnerAnswer } = {
  '/v1/text/guard': guard,
  '/v1/redact': redact,
};

const credentials = { apiKey: partnerKey, domain: 'aws.us.pangea.cloud' };

/** Pangea's AI Guard and Redact services. */
export const pangeaStub: PartnerStub = {
  vendor: 'pangea',
  origins: ['https://ai-guard.aws.us.pangea.cloud', 'https://redact.aws.us.pangea.cloud'],
  checks: [
    { id: 'pangea.pii', parameters: { credentials }, finds: 'personal' },
    { id: 'pangea.textGuard', parameters: { credentials }, finds: 'flagged' },
  ],
  answer(call) {
    const operation = operations[call.path];
    if (operation === undefined) return refused(404, 'NotFound');
    if (!isExpected(call, { path: call.path, headers: { authorization: `Bearer ${partnerKey}` } }))
      return refused(401, 'Unauthorized');
    return operation(JSON.parse(call.text) as JsonObject);
  },
};
