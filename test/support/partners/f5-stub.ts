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

/** https://docs.aisecurity.f5.com/api-docs/ */
export const f5Stub: PartnerStub = {
  vendor: 'f5-guardrails',
  origins: ['https://us1.calypsoai.app'],
  checks: [
    {
      id: 'f5-guardrails.scan',
      parameters: { projectId: 'project-1', credentials: { apiKey: partnerKey } },
      finds: 'flagged',
    },
  ],
  answer(call) {
    const headers = { authorization: `Bearer ${partnerKey}` };
    if (!isExpected(call, { path: '/backend/v1/scans', headers }))
      return { status: 401, body: { message: `Unauthorized: ${flaggedWord}` } };
    const body = JSON.parse(call.text) as JsonObject;
    if (misfits(body, { input: 'text', project: 'text?', verbose: 'flag?', flagOnly: 'flag?' }).length > 0)
      return { status: 422, body: { message: 'Bad request' } };
    const text = String(body.input);
    const isPersonal = personalAt(text).length > 0;
    const found = isPersonal ? 'redacted' : 'cleared';
    return {
      status: 200,
      body: {
        id: '019a1b2c-0000-7000-8000-000000000000',
        redactedInput: isPersonal ? text.replaceAll(personalData, '[EMAIL]') : text,
        result: {
          outcome: isFlagged(text) ? 'flagged' : found,
          scannerResults: [
            { scannerId: 's1', outcome: isFlagged(text) ? 'failed' : 'passed', data: { type: 'custom' } },
          ],
        },
      },
    };
  },
};
