import { describe, expect, it } from 'vitest';
import { urlsInText } from '../../../../plugins/guardrails/services/urls-in-text.ts';
import { validUrls } from '../../../../plugins/guardrails/services/valid-urls.ts';
import type { CheckAnswer, CheckRequest } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';

/** Responds to a HEAD request with the status in its path, such as `/404`. A path that is not a number causes an error. */
const web = ({ method, url, urlFromText }: CheckRequest): CheckAnswer => {
  if (method !== 'HEAD' || urlFromText !== true) throw new Error('Not asked as a URL of a text should be.');
  const status = Number(new URL(url).pathname.slice(1) || 200);
  if (Number.isNaN(status)) throw new Error('No connection.');
  return { status, headers: [], text: '' };
};

/** Has an IPv4 address for `there.test`, and an IPv6 address for `six.test`. */
const resolver = ({ url, headers }: CheckRequest): CheckAnswer => {
  const { origin, pathname, searchParams } = new URL(url);
  if (`${origin}${pathname}` !== 'https://dns.test/q' || headers?.accept !== 'application/dns-json')
    throw new Error('Not asked as a resolver.');
  const known = ['there.test A', 'six.test AAAA'].includes(`${searchParams.get('name')} ${searchParams.get('type')}`);
  return {
    status: 200,
    headers: [],
    text: JSON.stringify(known ? { Status: 0, Answer: [{ data: '::1' }] } : { Status: 3 }),
  };
};

describe('default.validUrls', () => {
  it('sends a HEAD request to each URL', () =>
    testGuardrail(validUrls, [
      {
        parameters: {},
        text: 'See https://a.test and http://b.test/301.',
        service: web,
        verdict: 'pass',
        data: { urls: 2 },
      },
      { parameters: {}, text: 'https://a.test/405', service: web, verdict: 'pass' },
      {
        parameters: {},
        text: 'https://a.test/ https://a.test/404',
        service: web,
        verdict: 'fail',
        data: { invalidUrls: ['https://a.test/404'] },
      },
      { parameters: {}, text: 'https://a.test/gone', service: web, verdict: 'fail' },
      { parameters: { not: true }, text: 'https://a.test/404', service: web, verdict: 'pass' },
      { parameters: { not: true }, text: 'https://a.test/', service: web, verdict: 'fail' },
    ]));

  it('fails without a URL, and cannot judge an empty text or very many URLs', () => {
    const many = Array.from({ length: 21 }, (_, at) => `https://a.test/${200 + at}`);
    return testGuardrail(validUrls, [
      { parameters: {}, text: 'No link.', service: web, verdict: 'fail' },
      { parameters: { not: true }, text: 'No link.', service: web, verdict: 'fail' },
      { parameters: {}, text: '', service: web, verdict: 'error' },
      { parameters: {}, text: many.join(' '), service: web, verdict: 'error' },
      { parameters: {}, text: many.slice(1).join(' '), service: web, verdict: 'pass', data: { urls: 20 } },
    ]);
  });

  it('queries a resolver for the addresses of the hosts if onlyDNS is set', () => {
    const parameters = { onlyDNS: true, resolverURL: 'https://dns.test/q' };
    return testGuardrail(validUrls, [
      { parameters, text: 'https://there.test/x http://six.test', service: resolver, verdict: 'pass' },
      { parameters, text: 'https://nowhere.test/', service: resolver, verdict: 'fail' },
      { parameters, text: 'https://127.0.0.1/ https://[::1]/', service: resolver, verdict: 'pass' },
      { parameters, text: 'https://there.test/', verdict: 'error' },
      ...[{}, { Status: '0' }, { Status: 0, Answer: {} }, { Status: 0, Answer: ['::1'] }].map((answer) => ({
        parameters: { ...parameters, not: true },
        text: 'https://there.test/',
        service: () => ({ status: 200, headers: [], text: JSON.stringify(answer) }),
        verdict: 'error' as const,
      })),
    ]);
  });

  it('rejects an invalid resolver', () =>
    testGuardrail(validUrls, [
      { parameters: { resolverURL: 'dns.test' }, verdict: 'refused' },
      { parameters: { resolverURL: 'tls://dns.test' }, verdict: 'refused' },
      { parameters: { onlyDns: true }, verdict: 'refused' },
    ]));
});

describe('the URLs in a text', () => {
  it.each([
    ['It is at https://a.test/x.', ['https://a.test/x']],
    ['[a](https://a.test/x), (https://b.test)!', ['https://a.test/x', 'https://b.test']],
    ['https://a.test/Set_(game)', ['https://a.test/Set_(game)']],
    ['(https://a.test/Set_(game))', ['https://a.test/Set_(game)']],
    ['**https://a.test** <https://a.test>', ['https://a.test']],
    ['HTTPS://A.test', ['HTTPS://A.test']],
    ['ftp://a.test www.a.test', []],
  ])('are found in %s', (text, urls) => {
    expect(urlsInText(text, 20)).toEqual(urls);
  });

  it.each(['https://', 'https://a.test/) ', ')', `https://a${')'.repeat(1900)} `, 'http'])(
    'are searched for only once in a megabyte of %s',
    (piece) => {
      expect(urlsInText(piece.repeat(1_000_000 / piece.length), 20).length).toBeLessThanOrEqual(21);
    },
  );
});
