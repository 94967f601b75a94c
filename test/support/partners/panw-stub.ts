import type { JsonObject } from '../../../schema/json/json.ts';
import {
  flaggedWord,
  isExpected,
  isFlagged,
  misfits,
  type PartnerStub,
  partnerKey,
  personalAt,
} from './partner-stub.ts';

const profile = 'strict';

/** https://pan.dev/prisma-airs/api/airuntimesecurity/scan-sync-request/ */
export const panwStub: PartnerStub = {
  vendor: 'panw-prisma-airs',
  origins: ['https://service.api.aisecurity.paloaltonetworks.com'],
  checks: [
    {
      id: 'panw-prisma-airs.intercept',
      parameters: { profile_name: profile, credentials: { AIRS_API_KEY: partnerKey } },
      finds: 'flagged',
    },
  ],
  answer(call) {
    const refused = (status: number) => ({ status, body: { error: { message: `Not accepted: ${flaggedWord}` } } });
    if (!isExpected(call, { path: '/v1/scan/sync/request', headers: { 'x-pan-token': partnerKey } }))
      return refused(403);
    const body = JSON.parse(call.text) as JsonObject;
    const { ai_profile, metadata, contents } = body as { readonly [name: string]: JsonObject };
    const wrong = [
      ...misfits(body, { tr_id: 'text?', ai_profile: 'object', metadata: 'object?', contents: 'list' }),
      ...misfits(ai_profile ?? {}, { profile_name: 'text?', profile_id: 'text?' }),
      ...misfits(metadata ?? {}, { app_name: 'text?', app_user: 'text?', ai_model: 'text?' }),
    ];
    const [content = {}] = (contents ?? []) as unknown as readonly JsonObject[];
    const { prompt, response, ...rest } = content;
    const text = prompt ?? response;
    if (wrong.length > 0 || Object.keys(rest).length > 0 || typeof text !== 'string' || text === '')
      return refused(400);
    if (ai_profile?.profile_name !== profile) return refused(400);
    const detected = { url_cats: false, injection: isFlagged(text), dlp: personalAt(text).length > 0 };
    return {
      status: 200,
      body: {
        report_id: 'R1',
        scan_id: '82f1e879-0000-49af-9345-da907431c08f',
        profile_name: profile,
        category: isFlagged(text) ? 'malicious' : 'benign',
        action: isFlagged(text) ? 'block' : 'allow',
        prompt_detected: prompt === undefined ? {} : detected,
        response_detected: prompt === undefined ? detected : {},
      },
    };
  },
};
