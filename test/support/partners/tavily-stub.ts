import type { JsonObject } from '../../../schema/json/json.ts';
import { isExpected, misfits, type PartnerStub, partnerKey } from './partner-stub.ts';

/** https://docs.tavily.com/documentation/api-reference/endpoint/search */
export const tavilyStub: PartnerStub = {
  vendor: 'tavily',
  origins: ['https://api.tavily.com'],
  checks: [{ id: 'tavily.online', parameters: { credentials: { apiKey: partnerKey } } }],
  answer(call) {
    if (!isExpected(call, { path: '/search', headers: { authorization: `Bearer ${partnerKey}` } }))
      return { status: 401, body: { detail: { error: 'Unauthorized: missing or invalid API key.' } } };
    const body = JSON.parse(call.text) as JsonObject;
    const wrong = misfits(body, {
      query: 'text',
      max_results: 'number?',
      search_depth: 'text?',
      topic: 'text?',
      time_range: 'text?',
      include_domains: 'list?',
      exclude_domains: 'list?',
    });
    if (wrong.length > 0 || body.query === '' || String(body.query).length > 400)
      return { status: 400, body: { detail: { error: 'Invalid request' } } };
    const results = [
      { title: 'Tides', url: 'https://example.com/tides', content: 'The moon moves the sea.', score: 0.9 },
      { title: 'Moon', url: 'https://example.com/moon', content: 'It is far away.', score: 0.8 },
    ];
    const found = results.slice(0, Number(body.max_results ?? 5)).map((each) => ({ ...each, raw_content: null }));
    return { status: 200, body: { query: body.query ?? '', images: [], results: found, response_time: 1.2 } };
  },
};
