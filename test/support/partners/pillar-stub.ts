import type { JsonObject } from '../../../schema/json/json.ts';
import { flaggedWord, isExpected, isFlagged, misfits, type PartnerStub, partnerKey } from './partner-stub.ts';

const scanners = {
  '/api/v1/scan/prompt': ['prompt_injection', 'pii', 'secrets', 'toxic_language', 'invisible_characters'],
  '/api/v1/scan/response': ['pii', 'secrets', 'toxic_language'],
} as const;

const credentials = { apiKey: partnerKey };

/** https://github.com/Portkey-AI/gateway/tree/main/plugins/pillar */
export const pillarStub: PartnerStub = {
  vendor: 'pillar',
  origins: ['https://api.pillarseclabs.com'],
  checks: [
    {
      id: 'pillar.scanPrompt',
      parameters: { scanners: ['prompt_injection', 'toxic_language'], credentials },
      finds: 'flagged',
    },
    {
      id: 'pillar.scanResponse',
      parameters: { scanners: ['toxic_language', 'secrets'], credentials },
      finds: 'flagged',
    },
  ],
  answer(call) {
    const path = (['/api/v1/scan/prompt', '/api/v1/scan/response'] as const).find((each) => each === call.path);
    if (path === undefined) return { status: 404, body: { error: 'Not found' } };
    if (!isExpected(call, { path, headers: { authorization: `Bearer ${partnerKey}` } }))
      return { status: 401, body: { error: `Unauthorized: ${flaggedWord}` } };
    const body = JSON.parse(call.text) as JsonObject;
    const asked = (body.scanners ?? {}) as JsonObject;
    const names: readonly string[] = scanners[path];
    const isKnown = Object.entries(asked).every(([name, on]) => names.includes(name) && on === true);
    if (misfits(body, { message: 'text', scanners: 'object' }).length > 0 || !isKnown || body.message === '')
      return { status: 400, body: { error: 'Bad request' } };
    // Members that were not requested are null.
    const found = names.map((name) => [
      name,
      asked[name] === true ? name === 'toxic_language' && isFlagged(String(body.message)) : null,
    ]);
    return { status: 200, body: Object.fromEntries(found) };
  },
};
