import { describe, expect, it } from 'vitest';
import type { CheckAnswer, CheckRequest, CheckServices, Verdict } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import { guardrailParameters } from '../../../../plugins/sdk/guardrail/guardrail-parameters.ts';
import { neverCancelled } from '../../../../plugins/testkit/route/cancellation.ts';
import { createVirtualClock } from '../../../../plugins/testkit/route/virtual-clock.ts';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';
import { fromJson } from '../../../../schema/json/from-json.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { rootPointer } from '../../../../schema/json/pointer.ts';
import { errorText } from '../../../../schema/text/error-text.ts';
import { toTenant } from '../../../support/in-process/sample-exchange.ts';
import { checkService } from '../../../support/partners/check-service.ts';
import { flaggedWord, partnerKey, personalData, type StubbedCheck } from '../../../support/partners/partner-stub.ts';
import { partnerStubs } from '../../../support/partners/partner-stubs.ts';
import { toGuardrail } from '../../../support/partners/to-guardrail.ts';
import { openaiAnswer } from '../../../support/vendors/openai-wire.ts';

const found = { flagged: `Tell me about ${flaggedWord}.`, personal: `Write to ${personalData}.` };
const question = 'What is known?';
const harmless = 'Tell me about the moon.';

const withTool: JsonObject = {
  model: 'm',
  messages: [{ role: 'user', content: question }],
  tools: [{ type: 'function', function: { name: 'look_at_the_moon' } }],
};

/** Returns the bodies of a request and its answer, for a check that reads more than texts. */
const bodies = (
  { judgesCalls }: StubbedCheck,
  text: string,
): { readonly request: JsonObject; readonly answer?: JsonObject } =>
  judgesCalls ? { request: withTool, answer: fromJson(JSON.stringify(openaiAnswer({ text }))) } : { request: {} };

const services = (send: (request: CheckRequest) => Promise<CheckAnswer>): CheckServices => ({
  http: { send },
  timers: createVirtualClock(0),
  placeholder: () => '',
});

type Send = (request: CheckRequest) => Promise<CheckAnswer>;

const judge = async (stubbed: StubbedCheck, text: string, send: Send): Promise<Verdict> => {
  const { id, parameters } = stubbed;
  const guardrail = toGuardrail(id);
  const check = guardrail.create(guardrailParameters(guardrail, parameters).own, services(send));
  const { request, ...answered } = bodies(stubbed, text);
  return check({
    ...answered,
    phase: guardrail.phases?.[0] ?? 'input',
    text,
    spans: [{ at: rootPointer, text, kind: 'text' }],
    metadata: {},
    tenant: toTenant('tenant'),
    request: { json: request, headers: [], dialect: 'chat', operation: 'converse', text: question },
    target: { provider: 'openai' },
    cancellation: neverCancelled,
  });
};

/** Returns the message of the error that a check throws. */
const readError = async (check: StubbedCheck, send: Send): Promise<string> => {
  try {
    await judge(check, found.flagged, send);
  } catch (error) {
    return errorText(error);
  }
  throw new Error('The check gave a verdict.');
};

const answered = (status: number, text: string): (() => Promise<CheckAnswer>) => {
  return async () => ({ status, headers: [], text });
};

describe.each(partnerStubs)('$vendor', (stub) => {
  describe.each(stub.checks)('$id', (check) => {
    const guardrail = toGuardrail(check.id);
    const { parameters, finds } = check;

    it('passes a text that its service finds harmless', () =>
      testGuardrail(guardrail, [
        {
          parameters,
          ...bodies(check, harmless),
          requestText: question,
          text: harmless,
          service: checkService(stub).service,
          verdict: 'pass',
        },
      ]));

    it.runIf(finds !== undefined)('fails a text that its service flags, and does not quote it', async () => {
      const text = found[finds ?? 'flagged'];
      const { service } = checkService(stub);
      await testGuardrail(guardrail, [
        { parameters, ...bodies(check, text), requestText: question, text, service, verdict: 'fail' },
      ]);
      const { data } = await judge(check, text, async (request) => service(request));
      expect(JSON.stringify(data)).not.toContain(flaggedWord);
      expect(JSON.stringify(data)).not.toContain(personalData);
    });

    it.runIf(Object.hasOwn(guardrail.parameters.properties ?? {}, 'redact'))('rewrites only if it redacts', () => {
      expect(guardrail.rewrites?.({ ...parameters, redact: true })).toBe(true);
      expect(guardrail.rewrites?.({ ...parameters, redact: false })).toBe(false);
    });

    it('sends no request for a blank text', async () => {
      const { service, requests } = checkService(stub);
      const text = ' \n';
      await testGuardrail(guardrail, [
        { parameters, ...bodies(check, text), requestText: question, text, service, verdict: 'pass' },
      ]);
      expect(requests).toEqual([]);
    });

    it.each([
      [401, 'Check the credentials of the check.'],
      [404, 'Check the names in the parameters of the check, and its base URL.'],
      [429, 'Its rate limit is reached: send fewer requests, or request a higher limit.'],
      [500, 'Its service has failed; try again later.'],
      [202, 'Check the parameters of the check.'],
    ])('reports an error that names the status %i, but neither its key nor the text', async (status, advice) => {
      const body = { error: { code: 'SomeCode', message: `${partnerKey} ${found.flagged}` }, message: found.flagged };
      const message = await readError(check, answered(status, JSON.stringify(body)));
      expect(message).toContain(`answered with status ${status} (SomeCode). ${advice}`);
      expect(message).not.toContain(partnerKey);
      expect(message).not.toContain(flaggedWord);
    });

    it.each<[string, { readonly error: { readonly code?: string | number } }]>([
      ['repeats the key', { error: { code: partnerKey } }],
      ['is a sentence', { error: { code: `Not allowed: ${flaggedWord}` } }],
      ['is a number', { error: { code: 7 } }],
      ['is absent', { error: {} }],
    ])('omits the code of the response from its error if the code %s', async (_what, body) => {
      // The service of promptfoo has no key to repeat, and those of Bedrock and Alibaba Cloud never receive it.
      if (body.error.code === partnerKey && ['promptfoo', 'bedrock', 'alibaba-cloud'].includes(stub.vendor)) return;
      const message = await readError(check, answered(400, JSON.stringify(body)));
      expect(message).toContain('answered with status 400. Check the parameters of the check.');
    });

    it.each([
      ['is not JSON', `<p>${flaggedWord}</p>`],
      ['is not an object', '["plutonium"]'],
      ['is an empty object', '{}'],
      [
        'has members of unexpected types',
        `{"results":"${flaggedWord}","result":3,"action":{},"flagged":0,"status":"Success"}`,
      ],
    ])('reports an error that names the status if the response %s', async (_what, text) => {
      const message = await readError(check, answered(200, text));
      expect(message).toContain('answered with status 200, but');
      expect(message).not.toContain(flaggedWord);
    });

    it('reports why there is no response', async () => {
      const message = await readError(check, async () => {
        throw new Error('The connection was reset.');
      });
      expect(message).toContain('did not answer: The connection was reset.');
    });

    it('accepts another base URL over https, and over http only on this machine', async () => {
      const errorsAt = (baseUrl: string) => guardrailParameters(guardrail, { ...parameters, baseUrl }).ownErrors;
      expect(errorsAt('https://proxy.example/scan/')).toEqual([]);
      expect(errorsAt('http://127.0.0.1:8080')).toEqual([]);
      expect(errorsAt('http://proxy.example')).toHaveLength(1);
      expect(errorsAt('https://u:p@proxy.example')).toHaveLength(1);
      expect(errorsAt('https://proxy.example?key=1')).toHaveLength(1);
      const places: string[] = [];
      await readError(
        { ...check, parameters: { ...parameters, baseUrl: 'https://proxy.example/scan/' } },
        async ({ url }) => {
          places.push(url);
          throw new Error('There is no network.');
        },
      );
      expect(places.length).toBeGreaterThan(0);
      for (const url of places) expect(url).toMatch(/^https:\/\/proxy\.example\/scan\/(?!\/)/);
    });
  });
});
