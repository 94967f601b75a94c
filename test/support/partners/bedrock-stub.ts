import type { JsonObject } from '../../../schema/json/json.ts';
import { awsRefusal } from '../vendors/aws-verifier.ts';
import {
  flaggedWord,
  isFlagged,
  misfits,
  type PartnerAnswer,
  type PartnerCall,
  type PartnerStub,
  partnerKey,
  personalAt,
  personalData,
} from './partner-stub.ts';

const accessKeyId = 'AKIDPARTNER';

const refused = (status: number, type: string): PartnerAnswer => ({
  status,
  headers: { 'x-amzn-ErrorType': `${type}:http://internal.amazon.com/coral/com.amazon.coral.service/` },
  body: { message: `Not accepted: ${flaggedWord}` },
});

const toAssessment = (text: string): JsonObject => ({
  ...(isFlagged(text) && {
    topicPolicy: { topics: [{ name: 'Radioactivity', type: 'DENY', action: 'BLOCKED', detected: true }] },
  }),
  ...(personalAt(text).length > 0 && {
    sensitiveInformationPolicy: {
      piiEntities: [{ match: personalData, type: 'EMAIL', action: 'ANONYMIZED', detected: true }],
      regexes: [],
    },
  }),
});

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ApplyGuardrail.html */
const answer = (call: PartnerCall): PartnerAnswer => {
  if (call.method !== 'POST' || call.path !== '/guardrail/gr1d2e3f/version/2/apply')
    return refused(404, 'ResourceNotFoundException');
  const refusal = awsRefusal(
    { method: call.method, target: call.path, header: call.header, body: call.text },
    { secrets: { [accessKeyId]: partnerKey }, service: 'bedrock', region: 'eu-central-1', now: call.now },
  );
  if (refusal !== undefined) return refused(403, 'AccessDeniedException');
  const body = JSON.parse(call.text) as JsonObject;
  const content = (Array.isArray(body.content) ? body.content : []) as readonly JsonObject[];
  const isOdd = content.some((block) => misfits(block, { text: 'object' }).length > 0);
  if (misfits(body, { source: 'text', content: 'list' }).length > 0 || isOdd || content.length === 0)
    return refused(400, 'ValidationException');
  if (body.source !== 'INPUT' && body.source !== 'OUTPUT') return refused(400, 'ValidationException');
  const texts = content.map(({ text }) => String((text as JsonObject).text));
  const assessment = toAssessment(texts.join('\n'));
  const isBlocked = 'topicPolicy' in assessment;
  const intervened = Object.keys(assessment).length > 0;
  const outputs = isBlocked
    ? [{ text: 'Sorry, that is not possible.' }]
    : texts.map((text) => ({ text: text.replaceAll(personalData, '{EMAIL}') }));
  return {
    status: 200,
    body: {
      usage: { topicPolicyUnits: 1 },
      action: intervened ? 'GUARDRAIL_INTERVENED' : 'NONE',
      actionReason: intervened ? 'Guardrail blocked or masked.' : 'No action.',
      outputs: intervened ? outputs : [],
      assessments: [{ ...assessment, invocationMetrics: { guardrailProcessingLatency: 20 } }],
    },
  };
};

/** The runtime of Amazon Bedrock. */
export const bedrockStub: PartnerStub = {
  vendor: 'bedrock',
  origins: ['https://bedrock-runtime.eu-central-1.amazonaws.com'],
  checks: [
    {
      id: 'bedrock.guard',
      parameters: {
        guardrailId: 'gr1d2e3f',
        guardrailVersion: '2',
        credentials: { accessKeyId, accessKeySecret: partnerKey, region: 'eu-central-1' },
      },
      finds: 'flagged',
    },
  ],
  answer,
};
