import { describe, expect, it } from 'vitest';
import { signAcs } from '../../../../plugins/guardrails/partners/alibaba-cloud/sign-acs.ts';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { alibabaStub } from '../../../support/partners/alibaba-stub.ts';
import { checkService } from '../../../support/partners/check-service.ts';
import { flaggedWord, partnerKey } from '../../../support/partners/partner-stub.ts';
import { toGuardrail } from '../../../support/partners/to-guardrail.ts';

const aiGuardrails = toGuardrail('alibaba-cloud.aiGuardrails');
const credentials = { accessKeyId: 'LTAIPARTNER', accessKeySecret: partnerKey, region: 'ap-southeast-1' };
const parameters = { credentials };
const saying = (body: JsonObject) => ({
  parameters,
  text: 'x',
  service: () => ({ status: 200, headers: [], text: JSON.stringify(body) }),
});
const judged = (suggestion: string, ...detail: readonly JsonObject[]) =>
  saying({ Code: 200, Data: { Suggestion: suggestion, Detail: detail } });

it('creates the signature of the example in the documentation', () => {
  const call = {
    host: 'ecs.cn-shanghai.aliyuncs.com',
    path: '/',
    query: 'ImageId=win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd&RegionId=cn-shanghai',
    ...{ action: 'RunInstances', version: '2014-05-26', body: '' },
    nonce: '3156853299f313e23d1673dc12e1703d',
    now: Date.UTC(2023, 9, 26, 10, 22, 32),
  };
  const keys = { accessKeyId: 'YourAccessKeyId', accessKeySecret: 'YourAccessKeySecret' };
  expect(signAcs(call, keys).authorization).toBe(
    'ACS3-HMAC-SHA256 Credential=YourAccessKeyId,' +
      'SignedHeaders=host;x-acs-action;x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version,' +
      'Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0',
  );
});

describe('alibaba-cloud.aiGuardrails', () => {
  it('sends the service of the phase, and signs the token of a temporary key', async () => {
    const { service, requests } = checkService(alibabaStub);
    await testGuardrail(aiGuardrails, [
      { parameters, text: 'moon & sun', service, verdict: 'pass' },
      { parameters, phase: 'output', text: '月', service, verdict: 'pass' },
    ]);
    const sent = requests.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
    expect(sent).toContainEqual({
      Service: 'query_security_check_intl',
      ServiceParameters: '{"content":"moon & sun"}',
    });
    expect(sent).toContainEqual({ Service: 'response_security_check_intl', ServiceParameters: '{"content":"月"}' });
    expect(new Set(requests.map(({ headers }) => headers?.['x-acs-signature-nonce'])).size).toBe(requests.length);

    const temporary = { credentials: { ...credentials, securityToken: 'token-of-a-day' } };
    await testGuardrail(aiGuardrails, [{ parameters: temporary, text: 'moon', service, verdict: 'pass' }]);
    const { headers } = requests.at(-1) ?? {};
    expect(headers?.['x-acs-security-token']).toBe('token-of-a-day');
    expect(headers?.authorization).toContain(';x-acs-security-token;');
  });

  it('sends requests to the endpoint of its region, for services that can be configured', async () => {
    const asked: string[] = [];
    const service = ({ url = '', body = '' }) => {
      asked.push(`${url} ${new URLSearchParams(body).get('Service')}`);
      return { status: 200, headers: [], text: JSON.stringify({ Code: 200, Data: { Suggestion: 'pass' } }) };
    };
    const inChina = { credentials: { ...credentials, region: 'cn-shanghai' } };
    await testGuardrail(aiGuardrails, [
      { parameters: inChina, text: 'moon', service, verdict: 'pass' },
      { parameters: { ...inChina, inputService: 'query_security_check_02' }, text: 'moon', service, verdict: 'pass' },
    ]);
    expect(new Set(asked)).toEqual(
      new Set([
        'https://green-cip.cn-shanghai.aliyuncs.com/ query_security_check',
        'https://green-cip.cn-shanghai.aliyuncs.com/ query_security_check_02',
      ]),
    );
  });

  it('fails a text that the service blocks or would mask, and names the kinds of risks', () =>
    testGuardrail(aiGuardrails, [
      {
        ...judged(
          'block',
          { Type: 'promptAttack', Suggestion: 'block' },
          { Type: 'sensitiveData', Suggestion: 'pass' },
        ),
        verdict: 'fail',
        data: { found: ['promptAttack'] },
      },
      { ...judged('mask', { Type: 'sensitiveData', Suggestion: 'mask' }), verdict: 'fail' },
      { ...judged('block'), verdict: 'fail' },
    ]));

  it('judges the whole of a text that is longer than the service accepts', () => {
    const { service } = checkService(alibabaStub);
    return testGuardrail(aiGuardrails, [
      { parameters, text: `${'moon '.repeat(1500)}${flaggedWord}`, service, verdict: 'fail' },
      { parameters, text: 'moon '.repeat(1500), service, verdict: 'pass' },
      { parameters, text: 'moon '.repeat(10_000), service, verdict: 'error' },
    ]);
  });

  it.each([
    { Code: 400, Message: 'service is invalid' },
    { Code: 200 },
    { Code: 200, Data: {} },
    { Code: 200, Data: { Suggestion: 'maybe' } },
    { Data: { Suggestion: 'pass' } },
  ])('reports an error if the text was not judged: %j', (answer) =>
    testGuardrail(aiGuardrails, [{ ...saying(answer), verdict: 'error' }]),
  );

  it('rejects a region that would be another host', () =>
    testGuardrail(aiGuardrails, [
      { parameters: { credentials: { ...credentials, region: 'evil.example/x' } }, verdict: 'refused' },
    ]));
});
