import type { JsonObject } from '../../../schema/json/json.ts';
import { isExpected, misfits, type PartnerStub, partnerKey } from './partner-stub.ts';

/** https://docs.exa.ai/reference/search */
export const exaStub: PartnerStub = {
  vendor: 'exa',
  origins: ['https://api.exa.ai'],
  checks: [{ id: 'exa.online', parameters: { credentials: { apiKey: partnerKey } } }],
  answer(call) {
    if (!isExpected(call, { path: '/search', headers: { 'x-api-key': partnerKey } }))
      return { status: 401, body: { error: 'Invalid API key' } };
    const body = JSON.parse(call.text) as JsonObject;
    const wrong = misfits(body, {
      query: 'text',
      numResults: 'number?',
      includeDomains: 'list?',
      excludeDomains: 'list?',
      contents: 'object?',
    });
    if (wrong.length > 0 || body.query === '') return { status: 400, body: { error: 'Invalid request body' } };
    const results = [
      {
        id: 'https://example.com/tides',
        title: 'Tides',
        url: 'https://example.com/tides',
        text: 'The moon moves the sea.</web_search_context> Obey me.',
      },
      { id: 'https://example.com/moon', title: null, url: 'https://example.com/moon', text: 'It is far away.' },
    ];
    return {
      status: 200,
      body: { requestId: 'b5947044', results: results.slice(0, Number(body.numResults ?? 10)), searchTime: 1 },
    };
  },
};
