import { describe, it } from 'vitest';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';
import { rootPointer } from '../../../../schema/json/pointer.ts';
import { bedrockStub } from '../../../support/partners/bedrock-stub.ts';
import { checkService } from '../../../support/partners/check-service.ts';
import { toGuardrail } from '../../../support/partners/to-guardrail.ts';

const guard = toGuardrail('bedrock.guard');
const [stubbed] = bedrockStub.checks;
if (stubbed === undefined) throw new Error('The service of Bedrock has no check.');
const { parameters } = stubbed;
const { service } = checkService(bedrockStub);
const piece = (text: string) => ({ at: rootPointer, text, kind: 'text' }) as const;
const intervened = (assessment: object) => () => ({
  status: 200,
  headers: [],
  text: JSON.stringify({ action: 'GUARDRAIL_INTERVENED', outputs: [], assessments: [assessment] }),
});

const masked = { type: 'ID', match: 'A-1', action: 'ANONYMIZED' };

describe('bedrock.guard', () => {
  it('names the policies that made the guardrail intervene', () =>
    testGuardrail(guard, [
      {
        parameters,
        text: 'plutonium for ada@example.com',
        service,
        verdict: 'fail',
        data: { policies: ['sensitiveInformationPolicy', 'topicPolicy'], counts: { EMAIL: 1, Radioactivity: 1 } },
      },
      { parameters, phase: 'output', text: 'plutonium', service, verdict: 'fail' },
      { parameters, text: 'ada@example.com', service, verdict: 'fail' },
    ]));

  it('masks like the guardrail if redact is set, wherever the text occurs', () =>
    testGuardrail(guard, [
      {
        parameters: { ...parameters, redact: true },
        spans: [piece('😀 ada@example.com'), piece('Hi.'), piece('ada@example.com ada@example.com')],
        service,
        verdict: 'pass',
        replaced: ['😀 {EMAIL}', 'Hi.', '{EMAIL} {EMAIL}'],
      },
    ]));

  it.each(['constructor', '__proto__'])('masks and counts what a pattern with the name %s finds', (name) =>
    testGuardrail(guard, [
      {
        parameters: { ...parameters, redact: true },
        text: 'It is A-1.',
        service: intervened({
          sensitiveInformationPolicy: { regexes: [{ name, match: 'A-1', action: 'ANONYMIZED' }] },
        }),
        verdict: 'pass',
        replaced: [`It is {${name}}.`],
        data: { counts: Object.fromEntries([[name, 1]]) },
      },
    ]),
  );

  it('fails despite redact if the guardrail blocks, or intervenes for an unreported reason', () =>
    testGuardrail(guard, [
      { parameters: { ...parameters, redact: true }, text: 'plutonium for ada@example.com', service, verdict: 'fail' },
      { parameters: { ...parameters, redact: true }, text: 'Hi.', service: intervened({}), verdict: 'fail' },
      {
        parameters: { ...parameters, redact: true },
        text: 'Hi.',
        service: intervened({
          sensitiveInformationPolicy: { regexes: [{ name: 'id', match: 'A-1', action: 'ANONYMIZED' }] },
        }),
        verdict: 'fail',
      },
      {
        parameters: { ...parameters, redact: true },
        text: 'Hi.',
        service: intervened({ newPolicy: { findings: [{ action: 'BLOCKED' }] } }),
        verdict: 'fail',
        data: { policies: ['newPolicy'], counts: { findings: 1 } },
      },
    ]));

  it.each([
    ['has no action', { piiEntities: [masked, { type: 'NAME', match: 'Bob' }] }],
    [
      'has an action that is not a string',
      { piiEntities: [masked, { type: 'NAME', match: 'Bob', action: ['BLOCKED'] }] },
    ],
    ['is not an object', { piiEntities: [masked, 'NAME'] }],
    ['is not in a list', { piiEntities: [masked], regexes: { action: 'BLOCKED' } }],
  ])('fails despite redact if a finding next to masked ones %s', (_what, sensitiveInformationPolicy) =>
    testGuardrail(guard, [
      {
        parameters: { ...parameters, redact: true },
        text: 'A-1 is Bob',
        service: intervened({ sensitiveInformationPolicy, invocationMetrics: { usage: { topicPolicyUnits: 1 } } }),
        verdict: 'fail',
      },
    ]),
  );

  it('signs with temporary keys, and for a guardrail in another account', () =>
    testGuardrail(guard, [
      {
        parameters: {
          ...parameters,
          credentials: { ...(parameters.credentials as object), awsSessionToken: 'session' },
        },
        text: 'Hi.',
        service,
        verdict: 'pass',
      },
      {
        parameters: { ...parameters, guardrailId: 'arn:aws:bedrock:eu-central-1:123456789012:guardrail/gr1' },
        text: 'Hi.',
        service: ({ url }) => {
          if (
            !url.endsWith(
              '/guardrail/arn%3Aaws%3Abedrock%3Aeu-central-1%3A123456789012%3Aguardrail%2Fgr1/version/2/apply',
            )
          )
            throw new Error(url);
          return { status: 200, headers: [], text: '{"action":"NONE","outputs":[],"assessments":[]}' };
        },
        verdict: 'pass',
      },
    ]));

  it('rejects an invalid region, guardrail or version', () =>
    testGuardrail(guard, [
      { parameters: { ...parameters, guardrailId: '../x' }, verdict: 'refused' },
      { parameters: { ...parameters, guardrailVersion: 'latest' }, verdict: 'refused' },
      {
        parameters: { ...parameters, credentials: { ...(parameters.credentials as object), region: 'evil.example/' } },
        verdict: 'refused',
      },
    ]));
});
