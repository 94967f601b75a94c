import type { JsonObject } from '../../../schema/json/json.ts';
import { acsRefusal } from './acs-verifier.ts';
import {
  flaggedWord,
  isFlagged,
  misfits,
  type PartnerAnswer,
  type PartnerCall,
  type PartnerStub,
  partnerKey,
} from './partner-stub.ts';

const accessKeyId = 'LTAIPARTNER';

const services = ['query_security_check_intl', 'response_security_check_intl'];

const refused = (status: number, code: string): PartnerAnswer => ({
  status,
  body: { Code: code, Message: `Not accepted: ${flaggedWord}`, RequestId: 'r-1', HostId: 'green-cip' },
});

/** Errors in the form of a call are answered with status 200. */
const unfit: PartnerAnswer = { status: 200, body: { Code: 400, Message: 'service is invalid', RequestId: 'r-1' } };

/** https://www.alibabacloud.com/help/en/content-moderation/latest/multimodal-api-access-guide */
const answer = (call: PartnerCall): PartnerAnswer => {
  if (call.method !== 'POST' || call.path !== '/') return refused(404, 'InvalidAction.NotFound');
  const refusal = acsRefusal(call, { [accessKeyId]: partnerKey });
  if (refusal !== undefined) return refused(403, refusal);
  if (call.header('x-acs-action') !== 'MultiModalGuard' || call.header('x-acs-version') !== '2022-03-02')
    return refused(404, 'InvalidAction.NotFound');
  if (call.header('content-type') !== 'application/x-www-form-urlencoded')
    return refused(415, 'UnsupportedContentType');
  const form = new URLSearchParams(call.text);
  const parameters = JSON.parse(form.get('ServiceParameters') ?? '{}') as JsonObject;
  const content = String(parameters.content);
  const isOdd = misfits(parameters, { content: 'text' }).length > 0 || [...form.keys()].length !== 2;
  if (!services.includes(form.get('Service') ?? '') || isOdd || content === '' || content.length > 2000) return unfit;
  const [level, suggestion] = isFlagged(content) ? ['high', 'block'] : ['none', 'pass'];
  const label = isFlagged(content) ? 'contraband_act' : 'nonLabel';
  return {
    status: 200,
    body: {
      Code: 200,
      Message: 'OK',
      RequestId: 'r-1',
      Data: {
        Suggestion: suggestion,
        Detail: [
          {
            Type: 'contentModeration',
            Level: level,
            Suggestion: suggestion,
            Result: [{ Label: label, Confidence: 81.22, Level: level, Description: '' }],
          },
          { Type: 'promptAttack', Level: 'none', Suggestion: 'pass', Result: [{ Label: 'nonLabel', Level: 'none' }] },
        ],
      },
    },
  };
};

/** The service of Alibaba Cloud AI Guardrails in Singapore. */
export const alibabaStub: PartnerStub = {
  vendor: 'alibaba-cloud',
  origins: ['https://green-cip.ap-southeast-1.aliyuncs.com'],
  checks: [
    {
      id: 'alibaba-cloud.aiGuardrails',
      parameters: { credentials: { accessKeyId, accessKeySecret: partnerKey, region: 'ap-southeast-1' } },
      finds: 'flagged',
    },
  ],
  answer,
};
