import { describe, expect, it } from 'vitest';
import { sagemaker } from '../../../plugins/providers/sagemaker/sagemaker.ts';
import { headerValue, type UpstreamRequest } from '../../../plugins/sdk/http/http.ts';
import { aPost, authorized } from '../../support/authorize.ts';
import { awsRefusal } from '../../support/aws-verifier.ts';

const keys = { cloudc_access_key_id: 'AKID', cloudc_secret_access_key: 'se/cret' };
const settings = { cloudc_region: 'eu-west-1' };

const toPath = (model: string | undefined): string => {
  const { chat } = sagemaker.speaks;
  return typeof chat === 'function' ? chat({ settings, model, stream: false }) : expect.unreachable();
};

const sent = (path: string, credential: Record<string, string>): Promise<UpstreamRequest> =>
  authorized(sagemaker, { ...aPost, path }, { credential, settings });

const bearerOf = ({ headers }: UpstreamRequest): string | undefined => headerValue(headers, 'authorization');

describe('sagemaker', () => {
  it('has the address of its region', () => {
    const { baseUrl } = sagemaker;
    expect(typeof baseUrl === 'function' ? baseUrl(settings) : baseUrl).toBe(
      'https://runtime.sagemaker.eu-west-1.amazonaws.com',
    );
  });

  it.each([
    ['llama', '/endpoints/llama/openai/v1/chat/completions'],
    ['llms/llama-8b', '/endpoints/llms/inference-components/llama-8b/openai/v1/chat/completions'],
    ['a?b/c#d/e', '/endpoints/a%3Fb/inference-components/c%23d%2Fe/openai/v1/chat/completions'],
  ])('has the endpoint, and its component, of %s in its path', (model, path) => {
    expect(toPath(model)).toBe(path);
  });

  it.each([undefined, '', '..', '/x', 'e/', 'e/..'])('needs an endpoint, which is not of %j', (model) => {
    expect(() => toPath(model)).toThrow('requires the model in its path');
  });

  // Made by `_generate_token` of sagemaker-core 2.27.0, with botocore, at the same time.
  it.each([
    [
      {},
      'c2FnZW1ha2VyLmFtYXpvbmF3cy5jb20vP0FjdGlvbj1DYWxsV2l0aEJlYXJlclRva2VuJlgtQW16LUFsZ29yaXRobT1BV1M0LUhNQUMtU0hBMjU2JlgtQW16LUNyZWRlbnRpYWw9QUtJRCUyRjIwMjYwMTAxJTJGZXUtd2VzdC0xJTJGc2FnZW1ha2VyJTJGYXdzNF9yZXF1ZXN0JlgtQW16LURhdGU9MjAyNjAxMDFUMDAwMDAwWiZYLUFtei1FeHBpcmVzPTkwMCZYLUFtei1TaWduZWRIZWFkZXJzPWhvc3QmWC1BbXotU2lnbmF0dXJlPWQ0YWE5YzMzNzk3OWJjZTRlZWNkYmQ4NGZhY2E5ZjE4NjM5ODgxOGRiMmJiOGEyMjZlODQ5NzlkZmM5Y2EzYjAmVmVyc2lvbj0x',
    ],
    [
      { cloudc_session_token: 'sess/ion+==' },
      'c2FnZW1ha2VyLmFtYXpvbmF3cy5jb20vP0FjdGlvbj1DYWxsV2l0aEJlYXJlclRva2VuJlgtQW16LUFsZ29yaXRobT1BV1M0LUhNQUMtU0hBMjU2JlgtQW16LUNyZWRlbnRpYWw9QUtJRCUyRjIwMjYwMTAxJTJGZXUtd2VzdC0xJTJGc2FnZW1ha2VyJTJGYXdzNF9yZXF1ZXN0JlgtQW16LURhdGU9MjAyNjAxMDFUMDAwMDAwWiZYLUFtei1FeHBpcmVzPTkwMCZYLUFtei1TaWduZWRIZWFkZXJzPWhvc3QmWC1BbXotU2VjdXJpdHktVG9rZW49c2VzcyUyRmlvbiUyQiUzRCUzRCZYLUFtei1TaWduYXR1cmU9YmE2MDAwZWQ1MGQxYjkwYTgxYTRlZjVjZDgyMzE0OTU3OGQ5OTM1MzZiMDAzNGEzMzAwYmZlM2U4Y2M0Njg1NyZWZXJzaW9uPTE=',
    ],
  ])('calls the paths that follow OpenAI with the token that AWS itself would make (%#)', async (session, token) => {
    const request = await sent(toPath('llama'), { ...keys, ...session });
    expect(bearerOf(request)).toBe(`Bearer sagemaker-api-key-${token}`);
  });

  it('signs every other path', async () => {
    const request = await sent('/endpoints/llama/invocations', keys);
    const verifier = {
      secrets: { AKID: 'se/cret' },
      service: 'sagemaker',
      region: 'eu-west-1',
      now: Date.UTC(2026, 0, 1),
    };
    const { method, path, headers, origin } = request;
    const header = (name: string): string | undefined =>
      name === 'host' ? new URL(origin).host : headerValue(headers, name);
    expect(awsRefusal({ method, target: path, header, body: '{"a":1}' }, verifier)).toBeUndefined();
  });

  it('sends a given token as it is', async () => {
    expect(sagemaker.headers({ api_key: 'k' }, settings)).toEqual(['Authorization', 'Bearer k']);
    expect(await sent(toPath('llama'), { api_key: 'k' })).toEqual({ ...aPost, path: toPath('llama') });
  });
});
