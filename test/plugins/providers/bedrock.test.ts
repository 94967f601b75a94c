import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { bedrock } from '../../../plugins/providers/bedrock/bedrock.ts';
import { headerValue, type UpstreamRequest } from '../../../plugins/sdk/http/http.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { type AuthorizeScript, aPost, authorized, authorizing, bodyText } from '../../support/vendors/authorize.ts';
import { type AwsVerifier, awsRefusal } from '../../support/vendors/aws-verifier.ts';

const keys = { cloudc_access_key_id: 'id', cloudc_secret_access_key: 'secret' };
const server: AwsVerifier = {
  secrets: { id: 'secret', temporary: 'temporary-secret' },
  service: 'bedrock',
  region: 'us-east-1',
  now: Date.UTC(2026, 0, 1),
};

const refusal = (request: UpstreamRequest, verifier: AwsVerifier = server): string | undefined =>
  awsRefusal(
    {
      method: request.method,
      target: request.path,
      header: (name) => (name === 'host' ? new URL(request.origin).host : headerValue(request.headers, name)),
      body: bodyText(request),
    },
    verifier,
  );

const address = (settings: JsonObject): string =>
  typeof bedrock.baseUrl === 'function' ? bedrock.baseUrl(settings) : expect.unreachable();

const toPath = (model: string | undefined, stream = false): string => {
  const { converse } = bedrock.speaks;
  return typeof converse === 'function' ? converse({ settings: {}, model, stream }) : expect.unreachable();
};

const sign = (request: UpstreamRequest, script: AuthorizeScript): Promise<UpstreamRequest> =>
  authorized(bedrock, request, script);

describe('bedrock', () => {
  it('derives its address from the region', () => {
    expect(address({})).toBe('https://bedrock-runtime.us-east-1.amazonaws.com');
    expect(address({ cloudc_region: 'eu-west-3' })).toBe('https://bedrock-runtime.eu-west-3.amazonaws.com');
    expect(address({ cloudc_region: 'us-gov-east-1' })).toBe('https://bedrock-runtime.us-gov-east-1.amazonaws.com');
    expect(address({ cloudc_region: 'cn-north-1' })).toBe('https://bedrock-runtime.cn-north-1.amazonaws.com.cn');
  });

  it.each(['evil.com/', 'us-east-1.evil.com#', 'us', 'US-EAST-1', 'a@b-c-1'])('rejects the region %s', (region) => {
    expect(() => address({ cloudc_region: region })).toThrow('cloudc_region must be the name of a region');
  });

  it('encodes the model as one segment of the path', () => {
    expect(toPath('us.anthropic.claude-sonnet-4-5-20250929-v1:0')).toBe(
      '/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse',
    );
    const arn = 'arn:aws:bedrock:us-east-1:1:application-inference-profile/abc';
    expect(toPath(arn, true)).toBe(`/model/${encodeURIComponent(arn)}/converse-stream`);
  });

  it.each([undefined, '', '.', '..'])('requires a model and rejects %j', (model) => {
    expect(() => toPath(model)).toThrow('requires the model in its path');
  });

  it('signs with the access keys, even for a model with reserved characters', async () => {
    const request = { ...aPost, path: `${toPath('arn:aws:bedrock:us-east-1:1:p/a b!*')}?x=1` };
    const signed = await sign(request, { credential: keys });
    expect(refusal(signed)).toBeUndefined();
    expect(headerValue(signed.headers, 'x-amz-security-token')).toBeUndefined();
    expect(refusal(signed, { ...server, region: 'eu-west-1' })).toBe('wrong scope');
  });

  it('signs the session token of temporary keys', async () => {
    const signed = await sign(aPost, { credential: { ...keys, cloudc_session_token: 'session' } });
    expect(headerValue(signed.headers, 'x-amz-security-token')).toBe('session');
    expect(refusal(signed)).toBeUndefined();
  });

  it('buffers a streamed body, because the signature covers it', async () => {
    const stream = Readable.from([Buffer.from('{"a"'), Buffer.from(':1}')]);
    const signed = await sign({ ...aPost, body: { kind: 'stream', stream } }, { credential: keys });
    expect(bodyText(signed)).toBe('{"a":1}');
    expect(refusal(signed)).toBeUndefined();
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(1_000_000);
      })(),
    );
    await expect(
      sign({ ...aPost, body: { kind: 'stream', stream: endless } }, { credential: keys }),
    ).rejects.toMatchObject({ report: { code: 'body-too-large' } });
  });

  it('requires both keys', async () => {
    for (const [field, missing] of [
      ['cloudc_access_key_id', 'cloudc_secret_access_key'],
      ['cloudc_secret_access_key', 'cloudc_access_key_id'],
    ] as const)
      await expect(sign(aPost, { credential: { [field]: 'x' } })).rejects.toThrow(`${missing} is missing.`);
  });

  it('sends an API key as a bearer token if there are no access keys or the settings require it', async () => {
    expect(bedrock.headers({ api_key: 'k' }, {})).toEqual(['Authorization', 'Bearer k']);
    expect(bedrock.headers({ api_key: 'k', ...keys }, {})).toEqual([]);
    const settings = { cloudc_auth_type: 'apiKey' };
    expect(bedrock.headers({ api_key: 'k', ...keys }, settings)).toEqual(['Authorization', 'Bearer k']);
    expect((await sign(aPost, { credential: { api_key: 'k', ...keys }, settings })).headers).toBe(aPost.headers);
  });

  it('sends paths outside the runtime API to the control plane', async () => {
    const origin = address({});
    const sentTo = async (path: string, from = origin): Promise<string> =>
      (await sign({ ...aPost, origin: from, path }, { credential: keys })).origin;
    expect(await sentTo('/model/m/invoke')).toBe(origin);
    expect(await sentTo('/guardrail/g/version/1/apply')).toBe(origin);
    expect(await sentTo('/async-invoke?maxResults=1')).toBe(origin);
    expect(await sentTo('/foundation-models')).toBe('https://bedrock.us-east-1.amazonaws.com');
    expect(await sentTo('/guardrails/g')).toBe('https://bedrock.us-east-1.amazonaws.com');
    expect(await sentTo('/foundation-models', 'https://vpc.example')).toBe('https://vpc.example');
  });

  it('signs S3 requests for the service s3, and only with access keys', async () => {
    const origin = bedrock.storageOrigin?.({ cloudc_region: 'us-east-1' }) ?? '';
    expect(origin).toBe('https://s3.us-east-1.amazonaws.com');
    const request: UpstreamRequest = {
      ...aPost,
      method: 'PUT',
      origin,
      path: '/bucket/key?partNumber=1',
      isStorage: true,
    };
    const signed = await sign(request, { credential: keys });
    expect([signed.origin, signed.path, refusal(signed, { ...server, service: 's3' })]).toEqual([
      ...[origin, request.path, undefined],
    ]);
    await expect(sign(request, { credential: { api_key: 'token' } })).rejects.toThrow('S3 requires access keys');
  });

  it("shares Claude's signatures with other platforms, but no others", () => {
    const scope = (model: string | undefined) => bedrock.stateScope?.({ fingerprint: 'f', model });
    expect(scope('eu.anthropic.claude-opus-4-1-v1:0')).toBe('claude');
    expect(scope('amazon.nova-pro-v1:0')).toBe('bedrock f');
    expect(scope(undefined)).toBe('bedrock f');
  });
});

describe('an assumed role', () => {
  const settings = {
    cloudc_region: 'eu-west-1',
    cloudc_role_arn: 'arn:aws:iam::1:role/models',
    cloudc_external_id: 'tenant-7',
  };
  const answer = (expiration: string): string =>
    `<AssumeRoleResponse><AssumeRoleResult><Credentials><AccessKeyId>temporary</AccessKeyId>
     <SecretAccessKey>temporary-secret</SecretAccessKey><SessionToken>session</SessionToken>
     <Expiration>${expiration}</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`;
  const sts = { ...server, service: 'sts', region: 'eu-west-1' };

  it('is assumed with the access keys, and its temporary keys sign the requests', async () => {
    const { context, sent } = authorizing({
      credential: keys,
      settings,
      tokenService: () => ({ body: answer('2026-01-01T01:00:00Z') }),
    });
    const signed = [await bedrock.authorize?.(aPost, context), await bedrock.authorize?.(aPost, context)];
    const [request] = sent;
    if (request === undefined || signed[0] === undefined) throw expect.unreachable();
    expect(sent).toHaveLength(1);
    expect(request.origin).toBe('https://sts.eu-west-1.amazonaws.com');
    expect(refusal(request, sts)).toBeUndefined();
    expect(Object.fromEntries(new URLSearchParams(bodyText(request)))).toEqual({
      Action: 'AssumeRole',
      Version: '2011-06-15',
      RoleArn: settings.cloudc_role_arn,
      RoleSessionName: 'gatewright',
      ExternalId: 'tenant-7',
    });
    expect(headerValue(signed[0].headers, 'authorization')).toContain('Credential=temporary/');
    expect(headerValue(signed[0].headers, 'x-amz-security-token')).toBe('session');
    expect(refusal(signed[0], { ...server, region: 'eu-west-1' })).toBeUndefined();
  });

  it('is assumed again after its keys have expired', async () => {
    const { context, sent, pass } = authorizing({
      credential: keys,
      settings,
      tokenService: () => ({ body: answer('2026-01-01T01:00:00Z') }),
    });
    await bedrock.authorize?.(aPost, context);
    pass(3_600_000);
    await bedrock.authorize?.(aPost, context);
    expect(sent).toHaveLength(2);
  });

  it('is rejected with only the status and the error code in the message', async () => {
    const body = '<ErrorResponse><Error><Code>AccessDenied</Code><Message>hush</Message></Error></ErrorResponse>';
    await expect(
      sign(aPost, { credential: keys, settings, tokenService: () => ({ status: 403, body }) }),
    ).rejects.toThrow(/^sts.eu-west-1.amazonaws.com answered 403 \(AccessDenied\)\.$/);
    await expect(sign(aPost, { credential: keys, settings, tokenService: () => ({ body: '<x/>' }) })).rejects.toThrow(
      'contains no credentials',
    );
  });

  it('is not rejected for good if too many requests were sent, which STS answers with 400', async () => {
    const body =
      '<ErrorResponse><Error><Code>Throttling</Code><Message>Rate exceeded</Message></Error></ErrorResponse>';
    await expect(
      sign(aPost, { credential: keys, settings, tokenService: () => ({ status: 400, body }) }),
    ).rejects.toThrow('failed for now');
  });

  it('must have an ARN', async () => {
    await expect(sign(aPost, { credential: keys, settings: { cloudc_auth_type: 'assumedRole' } })).rejects.toThrow(
      'cloudc_role_arn is missing.',
    );
  });
});
