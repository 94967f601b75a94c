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

/** A group of detectors that found nothing is omitted. */
const toExtraction = (text: string, redactions: readonly unknown[]): JsonObject => ({
  data: redactions.includes('email_address') ? text.replaceAll(personalData, 'X'.repeat(personalData.length)) : text,
  languages: { english: 0.98 },
  modalities: [{ group: 'text', type: 'plain' }],
  ...(isFlagged(text) && { exploits: { prompt_injection: 0.9 }, malcontents: { harmful: 0.5, toxic: 0.3 } }),
  ...(personalAt(text).length > 0 && {
    PIIs: { email_address: 1 },
    detections: personalAt(text).map((start) => ({
      type: 'PII',
      name: 'email_address',
      score: 1,
      start,
      end: start + personalData.length,
    })),
  }),
});

/** https://github.com/acuvity/acuvity-python/tree/main/docs/models */
export const acuvityStub: PartnerStub = {
  vendor: 'acuvity',
  origins: ['https://apex.example.acuvity.ai'],
  checks: [
    {
      id: 'acuvity.scan',
      parameters: {
        pii_categories: ['email_address', 'ssn'],
        credentials: { apiKey: partnerKey, domain: 'apex.example.acuvity.ai' },
      },
      finds: 'flagged',
    },
  ],
  answer(call) {
    const headers = { authorization: `Bearer ${partnerKey}` };
    if (!isExpected(call, { path: '/_acuvity/scan', headers }))
      return { status: 401, body: { code: 401, title: 'Unauthorized', description: flaggedWord } };
    const body = JSON.parse(call.text) as JsonObject;
    const wrong = misfits(body, {
      messages: 'list',
      type: 'text?',
      analyzers: 'list?',
      annotations: 'object?',
      anonymization: 'text?',
      redactions: 'list?',
    });
    const messages = Array.isArray(body.messages) ? body.messages.map(String) : [];
    const isOdd = body.type !== 'Input' && body.type !== 'Output';
    if (wrong.length > 0 || isOdd || messages.length === 0)
      return { status: 400, body: { code: 400, title: 'Validation Error', description: 'Invalid request' } };
    const redactions = Array.isArray(body.redactions) ? body.redactions : [];
    return {
      status: 200,
      body: {
        ID: '67a1b2c3',
        decision: 'Allow',
        principal: { type: 'App' },
        type: body.type ?? null,
        extractions: messages.map((text) => toExtraction(text, redactions)),
      },
    };
  },
};
