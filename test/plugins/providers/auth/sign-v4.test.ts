import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { signRequest } from '../../../../plugins/providers/auth/sign-request.ts';
import { awsTimestamp, sha256, signV4 } from '../../../../plugins/providers/auth/sign-v4.ts';
import { headerValue, type UpstreamRequest } from '../../../../plugins/sdk/http/http.ts';
import { aPost } from '../../../support/vendors/authorize.ts';
import { type AwsVerifier, awsRefusal } from '../../../support/vendors/aws-verifier.ts';

/** The keys, the time and test cases from AWS's published test suite for Signature Version 4. */
const suite = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: ['wJalrXUtnFEMI', 'K7MDENG+bPxRfiCYEXAMPLEKEY'].join('/'),
};
const place = { service: 'service', region: 'us-east-1', timestamp: '20150830T123600Z' };
const base = { host: 'example.amazonaws.com', 'x-amz-date': place.timestamp };
const sessionToken = [
  'AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuw',
  'thAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHN',
  'VXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==',
].join('');

const cases = [
  ['get-vanilla', 'GET', '/', {}, '', '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
  ['post-vanilla', 'POST', '/', {}, '', '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
  [
    'get-vanilla-query-order-key-case',
    'GET',
    '/?Param2=value2&Param1=value1',
    {},
    '',
    'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
  ],
  [
    'get-vanilla-empty-query-key',
    'GET',
    '/?Param1=value1',
    {},
    '',
    'a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb',
  ],
  ['get-utf8', 'GET', '/\u1234', {}, '', '8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85'],
  [
    'post-header-key-sort',
    'POST',
    '/',
    { 'my-header1': 'value1' },
    '',
    'c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c',
  ],
  [
    'post-header-value-case',
    'POST',
    '/',
    { 'my-header1': 'VALUE1' },
    '',
    'cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d',
  ],
  [
    'post-sts-header-before',
    'POST',
    '/',
    { 'x-amz-security-token': sessionToken },
    '',
    '85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead',
  ],
  [
    'post-x-www-form-urlencoded',
    'POST',
    '/',
    { 'content-type': 'application/x-www-form-urlencoded' },
    'Param1=value1',
    'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
  ],
] as const;

describe('signature version 4', () => {
  it.each(cases)('matches the published test case %s', (_, method, path, headers, body, signature) => {
    const all: Record<string, string> = { ...base, ...headers };
    const signed = signV4({ method, path, headers: all, bodyHash: sha256(body) }, suite, place);
    expect(signed).toBe(
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, ' +
        `SignedHeaders=${Object.keys(all).sort().join(';')}, Signature=${signature}`,
    );
  });

  it('uses a timestamp without separators', () => {
    expect(awsTimestamp(Date.UTC(2015, 7, 30, 12, 36, 0, 999))).toBe('20150830T123600Z');
  });
});

const now = Date.UTC(2026, 0, 1);
const server: AwsVerifier = { secrets: { id: 'secret' }, service: 'bedrock', region: 'eu-west-1', now };
const keys = { accessKeyId: 'id', secretAccessKey: 'secret' };

const refusal = (request: UpstreamRequest, verifier: AwsVerifier = server): string | undefined =>
  awsRefusal(
    {
      method: request.method,
      target: request.path,
      header: (name) => (name === 'host' ? new URL(request.origin).host : headerValue(request.headers, name)),
      body: request.body.kind === 'bytes' ? request.body.bytes : '',
    },
    verifier,
  );

const signed = (request: UpstreamRequest): UpstreamRequest =>
  signRequest(request, keys, { service: 'bedrock', region: 'eu-west-1', now });

describe('a signed request', () => {
  const segments = fc.array(fc.string({ unit: 'binary' }).map(encodeURIComponent), { minLength: 1 });
  const members = fc.array(
    fc.tuple(fc.string({ minLength: 1 }), fc.string()).map((each) => each.map(encodeURIComponent)),
  );

  it('is accepted, whatever its path, query and body are', () => {
    fc.assert(
      fc.property(segments, members, fc.uint8Array(), (path, query, bytes) => {
        const search = query.map(([name, value]) => `${name}=${value}`).join('&');
        const request: UpstreamRequest = {
          ...aPost,
          path: `/${path.join('/')}${search === '' ? '' : `?${search}`}`,
          body: { kind: 'bytes', bytes },
        };
        expect(refusal(signed(request))).toBeUndefined();
      }),
    );
  });

  it('is rejected when any signed part changes', () => {
    const request = signed(aPost);
    expect(refusal({ ...request, path: '/v1/things?limit=2' })).toBe('SignatureDoesNotMatch');
    expect(refusal({ ...request, method: 'PUT' })).toBe('SignatureDoesNotMatch');
    expect(refusal({ ...request, origin: 'https://other.example' })).toBe('SignatureDoesNotMatch');
    expect(refusal({ ...request, body: { kind: 'bytes', bytes: Buffer.from('{}') } })).toBe('another body');
    expect(refusal(request, { ...server, region: 'us-east-1' })).toBe('wrong scope');
    expect(refusal(request, { ...server, now: now + 6 * 60_000 })).toBe('RequestExpired');
    expect(refusal(request, { ...server, secrets: { id: 'other' } })).toBe('SignatureDoesNotMatch');
  });

  it('covers a port, and can have no body', () => {
    const request: UpstreamRequest = {
      ...aPost,
      method: 'GET',
      origin: 'http://127.0.0.1:8080',
      headers: [],
      body: { kind: 'none' },
    };
    expect(refusal(signed(request))).toBeUndefined();
  });

  it('has each header that it sets only once', () => {
    const twice = signed({ ...aPost, headers: [...aPost.headers, 'Authorization', 'Bearer x', 'X-Amz-Date', 'y'] });
    const names = twice.headers.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
    expect(names.sort()).toEqual(['authorization', 'content-type', 'x-amz-content-sha256', 'x-amz-date']);
  });
});
