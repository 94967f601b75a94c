import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schema/json/json.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startPartner } from '../../support/partners/partner-server.ts';
import { flaggedWord, partnerKey, personalData, type StubbedCheck } from '../../support/partners/partner-stub.ts';
import { partnerStubs } from '../../support/partners/partner-stubs.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

let gateway: GatewayProcess;
let provider: TestUpstream;

const found = { flagged: `Tell me about ${flaggedWord}.`, personal: `Write to ${personalData}.` };
const harmless = 'Tell me about the moon.';

beforeAll(async () => {
  [gateway, provider] = await Promise.all([startGateway(), startUpstream()]);
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

interface Asked {
  readonly check: StubbedCheck;
  readonly baseUrl: string;
  readonly phase: 'input' | 'output';
  readonly text: string;
  /** Added to the parameters of the check. */
  readonly parameters?: JsonObject;
  readonly deny?: boolean;
  readonly signal?: AbortSignal;
}

/** Sends a request with a caller's config, whose check calls the partner. */
const ask = async ({ check, baseUrl, phase, text, parameters = {}, deny = true, signal }: Asked) => {
  provider.handle((call) => call.json(openaiAnswer({ text: phase === 'output' ? text : 'Fine.' })));
  const guardrail = { [check.id]: { ...check.parameters, baseUrl, ...parameters }, deny };
  const config = {
    provider: 'openai',
    api_key: 'sk-callers',
    custom_host: `${provider.origin}/v1`,
    [`${phase}_guardrails`]: [guardrail],
  };
  const response = await fetch(`${gateway.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-config': JSON.stringify(config) },
    body: JSON.stringify({
      model: 'm',
      messages: [{ role: 'user', content: phase === 'input' ? text : 'Hi.' }],
      ...(check.judgesCalls && { tools: [{ type: 'function', function: { name: 'look_at_the_moon' } }] }),
    }),
    ...(signal !== undefined && { signal }),
  });
  const answer = await response.text();
  const { hook_results: results } = JSON.parse(answer) as {
    readonly hook_results?: { readonly [phase: string]: readonly { readonly checks: readonly JsonObject[] }[] };
  };
  const [hook] = Object.values(results ?? {}).flat();
  return { status: response.status, answer, check: hook?.checks[0] };
};

/** The phases of the checks that support only one. */
const only: { readonly [id: string]: 'input' | 'output' } = {
  ...Object.fromEntries(
    partnerStubs
      .filter(({ vendor }) => vendor === 'patronus')
      .flatMap(({ checks }) => checks.map(({ id }) => [id, 'output'])),
  ),
  'azure.protectedMaterial': 'output',
  'azure.shieldPrompt': 'input',
  'exa.online': 'input',
  'lasso.classify': 'input',
  'pillar.scanPrompt': 'input',
  'pillar.scanResponse': 'output',
  'promptfoo.guard': 'input',
  'promptsecurity.protectPrompt': 'input',
  'promptsecurity.protectResponse': 'output',
  'qualifire.grounding': 'output',
  'qualifire.hallucinations': 'output',
  'qualifire.promptInjections': 'input',
  'qualifire.toolUseQuality': 'output',
  'sydelabs.sydeguard': 'input',
  'tavily.online': 'input',
};

describe.each(partnerStubs)('$vendor', (stub) => {
  let server: TestUpstream;
  beforeAll(async () => {
    server = await startPartner(stub);
  });
  afterAll(() => server.close());

  const cells = stub.checks.flatMap((check) =>
    (['input', 'output'] as const)
      .filter((phase) => (only[check.id] ?? phase) === phase)
      .map((phase) => ({ id: check.id, check, phase })),
  );

  it.each(cells)('$id judges the $phase', async ({ check, phase }) => {
    const asked = { check, phase, baseUrl: server.origin };
    const before = server.requests.length;
    const passed = await ask({ ...asked, text: harmless });
    expect(passed, passed.answer).toMatchObject({ status: 200, check: { verdict: true } });
    expect(passed.check).not.toHaveProperty('error');
    expect(server.requests.length).toBe(before + 1);
    if (check.finds === undefined) return;
    const failed = await ask({ ...asked, text: found[check.finds] });
    expect(failed, failed.answer).toMatchObject({ status: 446, check: { verdict: false } });
    expect(failed.answer).not.toContain(partnerKey);
  });

  const [{ check, phase } = { check: undefined, phase: 'input' as const }] = cells;
  if (check === undefined) throw new Error('A partner has a check.');

  it('reports a rejected request as an error of the check, which fails the request only if the config says so', async () => {
    const refusing = await startUpstream((call) => call.json({ message: found.flagged }, { status: 403 }));
    const asked = { check, phase, baseUrl: refusing.origin, text: found.flagged };
    const open = await ask(asked);
    expect(open.status).toBe(200);
    expect(open.check).toMatchObject({ error: { message: expect.stringContaining('answered with status 403') } });
    const closed = await ask({ ...asked, parameters: { failOnError: true } });
    expect(closed.status).toBe(446);
    await refusing.close();
  });

  it('reports a missing answer as a time-out of the check', async () => {
    const silent = await startUpstream();
    const { status, check: result } = await ask({
      check,
      phase,
      baseUrl: silent.origin,
      text: harmless,
      parameters: { timeout: 100, failOnError: true },
    });
    expect(status).toBe(446);
    expect(result).toMatchObject({ error: { message: 'The check did not answer within 100 ms.' } });
    await silent.close();
  });

  it('aborts the call to the partner when the client disconnects', async () => {
    const silent = await startUpstream();
    const client = new AbortController();
    const asked = ask({ check, phase, baseUrl: silent.origin, text: harmless, signal: client.signal });
    const call = await silent.nextCall();
    client.abort();
    await expect(asked).rejects.toThrow();
    await call.gone;
    await silent.close();
  });

  it('is not called at an address that callers may not use', async () => {
    const { status, check: result } = await ask({
      check,
      phase,
      baseUrl: 'https://169.254.169.254',
      text: harmless,
      parameters: { failOnError: true },
    });
    expect(status).toBe(446);
    expect(result).toMatchObject({ error: { message: expect.stringContaining('not allowed') } });
  });
});

describe('a check of a partner that redacts', () => {
  const settings: { readonly [id: string]: JsonObject } = {
    'acuvity.scan': { pii_redact: true },
    'azure.pii': { redact: true },
    'bedrock.guard': { redact: true },
    'cato.analyze': {},
    'crowdstrike-aidr.guardChatCompletions': {},
    'f5-guardrails.scan': { redact: true },
    'pangea.pii': { redact: true },
    'promptfoo.pii': { redact: true },
  };
  const redacting = partnerStubs.flatMap((stub) =>
    stub.checks.flatMap((check) => {
      const parameters = settings[check.id];
      return parameters === undefined ? [] : [{ id: check.id, check, stub, parameters }];
    }),
  );

  it.each(redacting)('$id removes personal data from prompts and answers', async ({ check, stub, parameters }) => {
    const server = await startPartner(stub);
    const text = `Write "to" ${personalData} 😀 and ${personalData}.`;
    const asked = { check, baseUrl: server.origin, text, parameters };
    const before = provider.requests.length;
    const asking = await ask({ ...asked, phase: 'input' });
    expect(asking, asking.answer).toMatchObject({ status: 200, check: { verdict: true, transformed: true } });
    const sent: string = provider.requests[before]?.json().messages[0].content;
    expect(sent).toMatch(/^Write "to" \S*(?:EMAIL|XXX)\S* 😀 and \S*(?:EMAIL|XXX)\S*$/);
    const answered = await ask({ ...asked, phase: 'output' });
    expect(answered, answered.answer).toMatchObject({ status: 200, check: { verdict: true, transformed: true } });
    const { choices } = JSON.parse(answered.answer) as {
      readonly choices: readonly [{ readonly message: { readonly content: string } }];
    };
    expect(choices[0].message.content).toBe(sent);
    await server.close();
  });
});

describe('the text that is added to a prompt', () => {
  it('contains what Exa found', async () => {
    const [stub] = partnerStubs.filter(({ vendor }) => vendor === 'exa');
    const [check] = stub?.checks ?? [];
    if (stub === undefined || check === undefined) throw new Error('There is no service of Exa.');
    const server = await startPartner(stub);
    const before = provider.requests.length;
    const asking = await ask({ check, baseUrl: server.origin, phase: 'input', text: 'Why are there tides?' });
    expect(asking, asking.answer).toMatchObject({ status: 200, check: { verdict: true, transformed: true } });
    const sent: string = provider.requests[before]?.json().messages[0].content;
    expect(sent).toMatch(/^Why are there tides\?\n\n<web_search_context>\nTides\n[^<]*\n<\/web_search_context>$/);
    await server.close();
  });
});

describe('the configs of an operator', () => {
  it("refer to a partner's key, which appears in no plan, log or answer", async () => {
    const [stub] = partnerStubs.filter(({ vendor }) => vendor === 'mistral');
    if (stub === undefined) throw new Error('There is no service of Mistral.');
    const server = await startPartner(stub);
    const config = {
      provider: 'openai',
      api_key: '${env:OPENAI_KEY}',
      custom_host: `${provider.origin}/v1`,
      input_guardrails: [
        {
          'mistral.moderateContent': {
            categories: ['dangerous'],
            credentials: { apiKey: '${env:MISTRAL_KEY}' },
            baseUrl: server.origin,
          },
          deny: true,
        },
      ],
    };
    const operated = await startGateway({
      files: { 'gateway.json': { configs: 'configs', default_config: 'guarded' }, 'configs/guarded.json': config },
      env: { OPENAI_KEY: 'sk-operators', MISTRAL_KEY: partnerKey, GW_LOG: 'requests' },
    });
    provider.handle((call) => call.json(openaiAnswer({ text: 'Fine.' })));
    const post = async (content: string) => {
      const response = await fetch(`${operated.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }),
      });
      return { status: response.status, answer: await response.text() };
    };
    const [allowed, denied] = [await post(harmless), await post(found.flagged)];
    expect([allowed.status, denied.status]).toEqual([200, 446]);
    expect(allowed.answer).not.toContain('"error":{"name"');
    expect(`${allowed.answer}${denied.answer}${operated.printed()}`).not.toContain(partnerKey);
    await operated.stop();
    await server.close();
  });
});
