import { describe, expect, it, onTestFinished } from 'vitest';
import { allowanceSizes } from '../../../plugins/control/kernel/fairness/allowances.ts';
import { adminKey, callControl, control, makeKey, sharedStore } from '../../support/gateways/stored-gateway.ts';
import { startUpstream, type TestUpstream, type UpstreamHandler } from '../../support/servers/upstream-server.ts';

const gateway = sharedStore();

const stub = async (handle: UpstreamHandler): Promise<TestUpstream> => {
  const upstream = await startUpstream(handle);
  onTestFinished(() => upstream.close());
  return upstream;
};

const secret = 'sk-the-secret-of-this-provider';

const saveProvider = (slug: string, members: object): Promise<unknown> =>
  control(gateway(), 'POST /providers', {
    body: { name: slug, slug, provider: 'openai', credential: { api_key: secret }, ...members },
  });

const tryProvider = async (slug: string, key?: string) => {
  const { status, text, body } = await callControl(gateway(), `POST /providers/${slug}/test`, {
    ...(key === undefined ? {} : { key }),
  });
  expect(text).not.toContain(secret);
  return { status, body: body as unknown as { outcome?: string; message?: string; hint?: string; models?: string[] } };
};

describe('a credential that is tested', () => {
  it('is accepted if the provider lists its models', async () => {
    const upstream = await stub((call) => call.json({ object: 'list', data: [{ id: 'm-1' }, { id: 'm-2' }] }));
    await saveProvider('accepted', { settings: { custom_host: `${upstream.origin}/v1` } });
    const { body } = await tryProvider('accepted');
    expect(body).toMatchObject({ outcome: 'accepted', status: 200, models: ['m-1', 'm-2'], hint: null });
    const [request, ...others] = upstream.requests;
    expect([request?.method, request?.path, others]).toEqual(['GET', '/v1/models', []]);
  });

  it.each([
    [401, 'refused'],
    [403, 'refused'],
    [404, 'failed'],
    [429, 'failed'],
    [500, 'failed'],
  ] as const)(
    "is not accepted if the provider answers %i, and the provider's text is not repeated",
    async (status, outcome) => {
      const upstream = await stub((call) => call.json({ error: { message: `No: ${secret}` } }, { status }));
      await saveProvider(`answers-${status}`, { settings: { custom_host: `${upstream.origin}/v1` } });
      const { body } = await tryProvider(`answers-${status}`);
      expect(body).toMatchObject({ outcome, status, models: [] });
      expect([body.message, body.hint]).toEqual([expect.stringContaining(String(status)), expect.any(String)]);
    },
  );

  it('is not accepted if the address belongs to another service or to none', async () => {
    const page = await stub((call) => call.answer({ headers: { 'content-type': 'text/html' }, body: '<html>' }));
    await saveProvider('page', { settings: { custom_host: `${page.origin}/v1` } });
    expect((await tryProvider('page')).body).toMatchObject({ outcome: 'failed', status: 200 });
    const gone = await startUpstream((call) => call.json({}));
    await gone.close();
    await saveProvider('gone', { settings: { custom_host: `${gone.origin}/v1` } });
    const { body } = await tryProvider('gone');
    expect(body).toMatchObject({ outcome: 'failed', status: null });
    expect([body.message, body.hint]).not.toContain('');
  });

  it('cannot be tested in another workspace, and requires the scope for changes', async () => {
    const upstream = await stub((call) => call.json({ data: [] }));
    await saveProvider('scoped', { settings: { custom_host: `${upstream.origin}/v1` } });
    const { key } = await makeKey(gateway(), 'calls');
    expect((await tryProvider('scoped', key)).status).toBe(403);
    expect((await tryProvider('absent')).status).toBe(404);
    expect(upstream.requests).toEqual([]);
  });
});

const password = { id: 'contains', parameters: { words: ['password'], operator: 'none' } };
const replaced = { id: 'regexReplace', parameters: { rule: 'secret', redactText: '***' } };

const tryText = async (body: object, key: string = adminKey) => {
  const reply = await callControl(gateway(), 'POST /guardrails/try', { body, key });
  return { status: reply.status, text: reply.text, body: JSON.parse(reply.text) };
};

describe('a guardrail that is tested', () => {
  it.each(['request', 'answer'])('rejects a text as %s, with the verdict of its check', async (as) => {
    const { body } = await tryText({ text: 'my password', as, checks: [password], actions: { deny: true } });
    expect(body).toMatchObject({ passed: false, denied: true, text: null, changed: false });
    expect(body.guardrails[0].checks).toMatchObject([{ id: 'contains', verdict: false, error: null }]);
  });

  it('passes a text that it changes, and returns the changed text', async () => {
    const { body } = await tryText({ text: 'a secret', checks: [replaced, password] });
    expect(body).toMatchObject({ passed: true, denied: false, text: 'a ***', changed: true });
  });

  it('may be saved or not, and returns its verdict even if it runs in the background', async () => {
    const actions = { deny: true, async: true };
    await control(gateway(), 'POST /guardrails', { body: { name: 'W', slug: 'words', checks: [password], actions } });
    for (const as of ['request', 'answer'])
      expect((await tryText({ text: 'my password', as, guardrail: 'words' })).body).toMatchObject({ denied: true });
    expect((await tryText({ text: 'fine', guardrail: 'words' })).body).toMatchObject({ passed: true, text: 'fine' });
  });

  it.each([
    ['a check that does not exist', { checks: [{ id: 'contain', parameters: {} }] }, 400, '/checks/0/id'],
    ['neither checks nor a guardrail', {}, 400, '/checks'],
    ['both checks and a guardrail', { checks: [password], guardrail: 'words' }, 400, '/checks'],
    ['a guardrail that is not saved', { guardrail: 'absent' }, 404, undefined],
  ])('is rejected with %s', async (_, members, status, pointer) => {
    const reply = await tryText({ text: 'a', ...members });
    expect([reply.status, reply.body.error.errors?.[0].pointer]).toEqual([status, pointer]);
  });

  it('accepts texts of limited length, and requires the scope for requests', async () => {
    expect((await tryText({ text: 'a'.repeat(100_001), checks: [password] })).status).toBe(400);
    const { key } = await control(gateway(), 'POST /api-keys/workspace/service', {
      body: { name: 'reads', scopes: ['guardrails.read', 'guardrails.update'], workspace_id: 'default' },
    });
    expect((await tryText({ text: 'a', checks: [password] }, key)).status).toBe(403);
  });
});

describe('the list of what can be saved', () => {
  it('includes schemas', async () => {
    const providers = (await control(gateway(), 'GET /kinds/providers')) as { data?: object };
    expect(providers.data).toContainEqual(
      expect.objectContaining({ id: 'openai', credential: 'required', credential_fields: ['api_key'] }),
    );
    expect(providers.data).toContainEqual(
      expect.objectContaining({
        id: 'azure-openai',
        settings: expect.objectContaining({
          properties: expect.objectContaining({
            clouda_auth_mode: { description: expect.stringContaining('Microsoft Entra ID') },
          }),
        }),
      }),
    );
    const checks = (await control(gateway(), 'GET /kinds/checks')) as { data?: object };
    expect(checks.data).toContainEqual(
      expect.objectContaining({ id: 'default.contains', parameters: expect.objectContaining({ type: 'object' }) }),
    );
  });
});

describe('too many tests', () => {
  it('are refused, with the time after which more are allowed', async () => {
    const statuses = new Set<number>();
    for (let sent = 0; sent <= allowanceSizes.trials.max && !statuses.has(429); sent += 1)
      statuses.add((await tryText({ text: 'a', checks: [password] })).status);
    expect([...statuses]).toEqual([200, 429]);
  });
});
