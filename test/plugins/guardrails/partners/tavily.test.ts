import { describe, expect, it } from 'vitest';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';
import { checkService } from '../../../support/partners/check-service.ts';
import { partnerKey } from '../../../support/partners/partner-stub.ts';
import { tavilyStub } from '../../../support/partners/tavily-stub.ts';
import { toGuardrail } from '../../../support/partners/to-guardrail.ts';

const online = toGuardrail('tavily.online');
const credentials = { apiKey: partnerKey };

describe('tavily.online', () => {
  it('adds the pages that it found, and sends its settings', async () => {
    const { service, requests } = checkService(tavilyStub);
    const settings = { maxResults: 2, searchDepth: 'fast', topic: 'news', timeRange: 'week' };
    const domains = { includeDomains: ['a.example'], excludeDomains: ['b.example'] };
    await testGuardrail(online, [
      {
        parameters: { ...settings, ...domains, credentials },
        text: 'Why are there tides?',
        service,
        verdict: 'pass',
        data: { results: 2 },
        replaced: [
          'Why are there tides?\n\n<web_search_context>\nTides\nhttps://example.com/tides\nThe moon moves the sea.\n\nMoon\nhttps://example.com/moon\nIt is far away.\n</web_search_context>',
        ],
      },
    ]);
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
      query: 'Why are there tides?',
      max_results: 2,
      search_depth: 'fast',
      topic: 'news',
      time_range: 'week',
      include_domains: ['a.example'],
      exclude_domains: ['b.example'],
    });
  });

  it('searches with the first 400 characters, and omits settings that are not set', async () => {
    const { service, requests } = checkService(tavilyStub);
    await testGuardrail(online, [{ parameters: { credentials }, text: 'a'.repeat(1000), service, verdict: 'pass' }]);
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({ query: 'a'.repeat(400), max_results: 5 });
  });

  it('rejects parameters that the service does not support', () =>
    testGuardrail(online, [
      { parameters: {}, verdict: 'refused' },
      { parameters: { credentials, searchDepth: 'deep' }, verdict: 'refused' },
      { parameters: { credentials, maxResults: 21 }, verdict: 'refused' },
    ]));
});
