import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ReplayedRequest } from '../../../compiler/cli/replay/replay-request.ts';
import type { TrailEvent } from '../../../schema/trail/trail.ts';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';

const routed = {
  name: 'routed',
  strategy: {
    mode: 'conditional',
    conditions: [{ query: { 'metadata.tier': { $in: ['gold', 'team'] } }, then: 'careful' }],
    default: 'cheap',
  },
  targets: [
    {
      name: 'careful',
      strategy: { mode: 'fallback', on_status_codes: [429, 408, 529] },
      retry: { attempts: 1 },
      targets: [
        { name: 'claude', provider: 'anthropic', api_key: '${env:CLAUDE}', override_params: { model: 'c' } },
        {
          name: 'gpt',
          provider: 'openai',
          api_key: '${file:/run/secrets/gpt}',
          cb_config: { failure_threshold: 3, cooldown_interval: 60000 },
          request_timeout: 45000,
          override_params: { model: 'g' },
        },
      ],
    },
    {
      name: 'cheap',
      strategy: { mode: 'loadbalance' },
      targets: [
        {
          name: 'a',
          weight: 3,
          provider: 'openai',
          custom_host: 'https://a.example.com/v1',
          forward_headers: ['x-team'],
        },
        { name: 'b', weight: 1, provider: 'echo' },
      ],
    },
  ],
};

const golden = path.join(import.meta.dirname, 'golden/routed.txt');

const explain = async (request?: object | string): Promise<string> => {
  const cwd = temporaryFolder({ 'routed.json': routed, 'request.json': request ?? {} });
  const { code, out, err } = await runGw(cwd, [
    'explain',
    'routed.json',
    ...(request === undefined ? [] : ['--request', 'request.json']),
  ]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out;
};

const replay = async (request: object, config: object = routed): Promise<ReplayedRequest> => {
  const cwd = temporaryFolder({ 'routed.json': config, 'request.json': request });
  const argv = ['explain', 'routed.json', '--request', 'request.json', '--format', 'json'];
  const { out, err } = await runGw(cwd, argv);
  expect(err).toBe('');
  return JSON.parse(out).request;
};

const calls = ({ trail }: { readonly trail: readonly TrailEvent[] }): readonly string[] =>
  trail.flatMap((event) => (event.kind === 'attempted' ? [`${event.target} ${event.status} ${event.origin}`] : []));

describe('gw explain', () => {
  it('shows targets, weights, conditions in words, stages, bounds, hosts and secrets by name', async () => {
    const text = await explain();
    if (process.env.UPDATE_GOLDENS !== undefined) writeFileSync(golden, text);
    expect(text).toBe(readFileSync(golden, 'utf8'));
  });

  it.each([
    [undefined, 'a body on a path that is not modelled is refused (403), since no check can judge it'],
    ['allow', 'a body on a path that is not modelled passes unjudged (pass_through: "allow" in the gateway file)'],
  ])('explains what happens to bodies that no guardrail can judge if pass_through is %s', async (rule, line) => {
    const check = { 'default.contains': { words: ['x'], operator: 'any' } };
    const echo = { provider: 'echo' };
    const cwd = temporaryFolder({
      'gateway.json': rule === undefined ? {} : { pass_through: rule },
      'denying.json': { ...echo, input_guardrails: [{ ...check, deny: true }] },
      'reporting.json': { ...echo, input_guardrails: [check] },
      'request.json': { path: '/v1/assistants', body: {} },
    });
    const { out } = await runGw(cwd, ['explain', 'denying.json', '--request', 'request.json']);
    expect(out).toContain(line);
    expect(/^403 /m.test(out)).toBe(rule === undefined);
    expect((await runGw(cwd, ['explain', 'reporting.json'])).out).not.toContain('not modelled');
  });

  it.each([
    [{}, undefined],
    [{ judged_turns: 'all' }, 'checks judge every turn of a request (judged_turns: "all" in the gateway file)'],
    [
      { unjudged_members: 'allow' },
      'members that a format does not document pass unjudged (unjudged_members: "allow" in the gateway file)',
    ],
  ])('explains what guardrails read if the gateway file has %j', async (file, line) => {
    const check = { 'default.contains': { words: ['x'], operator: 'any' } };
    const cwd = temporaryFolder({
      'gateway.json': file,
      'checked.json': { provider: 'echo', input_guardrails: [check] },
      'unchecked.json': { provider: 'echo' },
    });
    const { out } = await runGw(cwd, ['explain', 'checked.json']);
    if (line === undefined) expect(out).not.toMatch(/every turn|pass unjudged/);
    else expect(out).toContain(line);
    expect((await runGw(cwd, ['explain', 'unchecked.json'])).out).not.toMatch(/every turn|pass unjudged/);
  });

  it('explains what prompt_cache does to the requests of each target', async () => {
    const keyed = { api_key: '${env:KEY}' };
    const calling = (model: string): object => ({ override_params: { model } });
    const targets = [
      { provider: 'anthropic', ...keyed, ...calling('claude-opus-4-5') },
      { provider: 'anthropic', ...keyed },
      { provider: 'bedrock', ...keyed, ...calling('amazon.nova-pro-v1:0') },
      { provider: 'bedrock', ...keyed, ...calling('meta.llama4-v1:0') },
      { provider: 'openai', ...keyed },
    ];
    const config = { strategy: { mode: 'fallback' }, targets };
    const cwd = temporaryFolder({ 'gateway.json': { prompt_cache: 'auto' }, 'a.json': config });
    const { out } = await runGw(cwd, ['explain', 'a.json']);
    expect(
      out
        .split('\n')
        .filter((line) => line.includes('prompts to cache'))
        .map((line) => line.replace(/^[^a-z]+/, '')),
    ).toEqual([
      'hints at prompts to cache after the tools, the system prompt and the turns before the last, from 4096 tokens on (prompt_cache: "auto")',
      'hints at prompts to cache, where the model that a request names takes them (prompt_cache: "auto")',
      'hints at prompts to cache after the system prompt, from 1000 tokens on (prompt_cache: "auto")',
      'no hints at prompts to cache, since the model is not known to take them',
    ]);
    const off = temporaryFolder({ 'a.json': config });
    expect((await runGw(off, ['explain', 'a.json'])).out).not.toContain('prompts to cache');
  });

  it('says that checks deny nothing, and does not claim that they change nothing', async () => {
    const redact = { 'default.regexReplace': { rule: '/secret/g' } };
    const checks = [{ id: 'default.regexReplace', parameters: { rule: '/secret/g' } }];
    const cwd = temporaryFolder({
      'redacting.json': {
        provider: 'echo',
        output_guardrails: [redact],
        before_request_hooks: [{ id: 'hide', type: 'mutator', checks }],
      },
    });
    const { out } = await runGw(cwd, ['explain', 'redacting.json']);
    expect(out).toContain('input checks: hide (default.regexReplace) may change what it judges, and denies nothing');
    expect(out).toContain('output checks: output_guardrail_1 (default.regexReplace) denies nothing');
  });

  it('says when limits are checked, if there is a store', async () => {
    const a = { provider: 'openai', api_key: '${env:KEY}' };
    const cwd = temporaryFolder({ 'gateway.json': { store: { url: 'gateway.db' } }, 'a.json': a });
    const note = 'limits are checked before each attempt, and those of the request before it is routed (store)';
    expect((await runGw(cwd, ['explain', 'a.json'])).out).toContain(note);
    expect((await runGw(temporaryFolder({ 'a.json': a }), ['explain', 'a.json'])).out).not.toContain('limits');
  });

  it('prints only once what applies to every target', async () => {
    const target = { provider: 'openai', api_key: '${env:KEY}' };
    const config = { retry: { attempts: 2 }, strategy: { mode: 'fallback' }, targets: [target, target] };
    const cwd = temporaryFolder({ 'a.json': config });
    const { out } = await runGw(cwd, ['explain', 'a.json']);
    for (const line of ['  with api_key ${env:KEY}', '  retry: up to 2 retries on 429, 500, 502, 503, 504 or 529'])
      expect(out.split('\n').filter((each) => each.includes(line.trim()))).toEqual([line]);
    expect(out.indexOf('every target\n')).toBeLessThan(out.indexOf('fallback on'));
  });

  it('reports a broken plugin of the gateway file next to the plan of a config that does not use it', async () => {
    const cwd = temporaryFolder({
      'gateway.json': { plugins: [{ package: './nowhere.js' }] },
      'a.json': { provider: 'echo' },
    });
    const { code, out } = await runGw(cwd, ['explain', 'a.json']);
    expect(code).toBe(0);
    expect(out).toContain('error[plugin-not-found]');
    expect(out).toContain('echo  echo  config');
  });

  it('says that checks replace nothing in requests to embedding models, and only for those models', async () => {
    const redacting = (
      model: string,
      more: object = { input_guardrails: [{ 'default.pii': { action: 'redact' }, deny: true }] },
    ) => ({
      ...{ provider: 'openai', api_key: '${env:KEY}', override_params: { model } },
      ...more,
    });
    const cwd = temporaryFolder({
      'vectors.json': redacting('text-embedding-3-small'),
      'scores.json': redacting('omni-moderation-latest'),
      'chat.json': redacting('gpt-5.5'),
      'unchecked.json': redacting('text-embedding-3-small', {}),
    });
    const hasNote = async (name: string): Promise<boolean> =>
      (await runGw(cwd, ['explain', `${name}.json`])).out.includes(
        'a check replaces nothing in requests for embeddings',
      );
    expect([
      await hasNote('vectors'),
      await hasNote('scores'),
      await hasNote('chat'),
      await hasNote('unchecked'),
    ]).toEqual([...[true, true, false, false]]);
  });

  it('says when a list of texts is sent in several calls, which the bound counts as one', async () => {
    const calling = (provider: string, model: string) => ({
      provider,
      api_key: '${env:KEY}',
      override_params: { model },
    });
    const cwd = temporaryFolder({
      'vectors.json': calling('cohere', 'embed-v4.0'),
      'chat.json': calling('cohere', 'command-a-03-2025'),
    });
    const said = async (name: string): Promise<string> => (await runGw(cwd, ['explain', `${name}.json`])).out;
    expect(await said('vectors')).toContain(
      'a list of more than 96 texts is sent in several calls, which count as one',
    );
    expect(await said('chat')).not.toContain('several calls');
  });

  it('explains a compiled plan in the same way as its config', async () => {
    const cwd = temporaryFolder({ 'routed.json': routed });
    await runGw(cwd, ['compile', 'routed.json', '--out', 'out', '--no-types']);
    const compiled = await runGw(cwd, ['explain', 'out/routed.plan.json']);
    expect(compiled).toEqual(await runGw(cwd, ['explain', 'routed.json']));
  });

  it('rejects a plan that was edited by hand', async () => {
    const cwd = temporaryFolder({ 'routed.json': routed });
    await runGw(cwd, ['compile', 'routed.json', '--out', '.', '--no-types']);
    const file = path.join(cwd, 'routed.plan.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('a.example.com', 'b.example.com'));
    const { code, err } = await runGw(cwd, ['explain', 'routed.plan.json']);
    expect(code).toBe(2);
    expect(err).toContain('routed.plan.json cannot be loaded. The plan "routed" was changed after it was compiled');
  });

  it('shows the mistakes of a config that does not compile, and exits with 1', async () => {
    const { code, out } = await runGw(temporaryFolder({ 'a.json': { provider: 'ecko' } }), ['explain', 'a.json']);
    expect(code).toBe(1);
    expect(out).toContain('error[unknown-provider]');
  });
});

describe('gw explain --request', () => {
  it('runs the linked plan and prints its trail', async () => {
    const text = await explain({
      metadata: { tier: 'gold' },
      seed: 7,
      upstream: [
        { target: 'claude', status: 529 },
        { target: 'claude', error: 'hang' },
      ],
    });
    const trail = text.slice(text.indexOf('POST /v1'));
    expect(trail.split('\n').map((line) => line.trimEnd().replace(/waited \d+ ms/, 'waited a while'))).toEqual([
      'POST /v1/chat/completions, seed 7',
      '',
      'config                        chose config.targets[0] (careful)',
      'config.targets[0].targets[0]  attempt 1 at claude: 529 (from the provider)',
      'config.targets[0].targets[0]  waited a while for retry 1',
      'config.targets[0].targets[0]  attempt 2 at claude: 408 (time-out)',
      'config.targets[0] (careful)   fell back from config.targets[0].targets[0] to config.targets[0].targets[1] on 408',
      'config.targets[0].targets[1]  attempt 1 at gpt: 200 (from the provider)',
      '',
      expect.stringMatching(
        /^200 from config\.targets\[0\]\.targets\[1\] \(openai\), retry count 0, after 10 min \d+ s$/,
      ),
      '',
    ]);
  });

  it.each(['-5', '1, 2'])("ignores a provider's retry-after of %s and waits as configured", async (text) => {
    const config = { provider: 'openai', api_key: '${env:K}', retry: { attempts: 1, use_retry_after_headers: true } };
    const { trail } = await replay({ upstream: [{ status: 429, headers: { 'retry-after': text } }] }, config);
    const waits = trail.flatMap((event) => (event.kind === 'retried' ? [event.waitMs] : []));
    expect(waits).toEqual([expect.any(Number)]);
    expect(waits[0]).toBeGreaterThanOrEqual(500);
  });

  it('draws the same branches for the same seed, and different ones for other seeds', async () => {
    expect(await replay({ seed: 3 })).toEqual(await replay({ seed: 3 }));
    const seeds = Array.from({ length: 20 }, (_, seed) => seed);
    const drawn = await Promise.all(seeds.map(async (seed) => calls(await replay({ seed }))[0]));
    expect(new Set(drawn)).toEqual(new Set(['a 200 upstream', 'b 200 upstream']));
  });

  it.each<[string, object, readonly string[]]>([
    ['a refused connection', { error: 'refused' }, ['claude 502 network']],
    ['a full connection pool', { error: 'busy' }, ['claude 503 network']],
    ['a connection that breaks', { error: 'cut' }, ['claude 502 network']],
    ['a provider that never answers', { error: 'hang' }, ['claude 408 timeout']],
    ['an answer that is not JSON', { body: 'oops' }, ['claude 502 network']],
  ])('simulates %s', async (_, step, expected) => {
    const { trail } = await replay({ metadata: { tier: 'team' }, upstream: [step] });
    expect(calls({ trail }).slice(0, 1)).toEqual(expected);
  });

  it.each(['cut', 'hang', 'in-band'])(
    'simulates a stream that starts normally and then fails with the fault %s',
    async (error) => {
      const { trail, status } = await replay({
        metadata: { tier: 'gold' },
        body: { model: 'm', messages: [{ role: 'user', content: 'Hi' }], stream: true },
        upstream: [{ stream: true, error }],
      });
      expect(status).toBe(200);
      expect(trail.map(({ kind }) => kind)).toEqual(['chose', 'attempted', 'streamFailed']);
    },
  );

  it('gives steps with a target to that target, and the other steps to whichever target calls next', async () => {
    const { trail } = await replay({
      metadata: { tier: 'gold' },
      upstream: [{ target: 'gpt', status: 418 }, { status: 429 }, { status: 529 }],
    });
    expect(calls({ trail })).toEqual(['claude 429 upstream', 'claude 529 upstream', 'gpt 418 upstream']);
  });

  it('reports a step of the script that was not used', async () => {
    expect(await explain({ upstream: [{ target: 'gpt', status: 500 }] })).toContain(
      '1 step of "upstream" was not used.',
    );
  });

  it('runs the real checks on the given body', async () => {
    const guarded = {
      provider: 'echo',
      input_guardrails: [{ id: 'words', deny: true, 'default.contains': { words: ['secret'], operator: 'none' } }],
    };
    const body = (content: string) => ({ body: { model: 'm', messages: [{ role: 'user', content }] } });
    expect(await replay(body('the secret'), guarded)).toMatchObject({ status: 446, cause: 'checks-failed' });
    expect(await replay(body('hello'), guarded)).toMatchObject({ status: 200 });
  });

  it('explains why a request was not served at all', async () => {
    const { status, cause } = await replay({ body: 'not json' }, { ...routed, strategy: conditionalOnModel });
    expect({ status, cause }).toEqual({ status: 400, cause: 'malformed-body' });
  });

  it('repeats a line of the request log, and shows where another plan deviates from it', async () => {
    const request = { metadata: { tier: 'gold' }, seed: 11, upstream: [{ status: 429 }, { status: 429 }] };
    const { trail, status } = await replay(request);
    const line = {
      time: '2026-01-01T00:00:00.000Z',
      seed: 11,
      plan: 'routed@abc',
      route: 'POST /v1/chat/completions',
      status,
      trail,
    };
    expect(await replay(line)).toMatchObject({ status, trail, recorded: { on: 'routed@abc', differsAt: null } });
    const patient = { ...routed, targets: routed.targets.map((target) => ({ ...target, retry: { attempts: 2 } })) };
    expect(await replay(line, patient)).toMatchObject({ recorded: { differsAt: 4 } });
  });

  it('restores circuits that other requests had opened from the log', async () => {
    const pair = {
      strategy: { mode: 'loadbalance' },
      cb_config: { failure_threshold: 1, cooldown_interval: 30000 },
      targets: [
        { name: 'left', provider: 'echo' },
        { name: 'right', provider: 'ollama', custom_host: 'http://ollama.example.com/v1' },
      ],
    };
    const trail = [
      { kind: 'skipped', path: '', branches: [0] },
      { kind: 'chose', path: '', branch: 1 },
      { kind: 'circuitChanged', path: '/targets/1', from: 'open', to: 'half-open' },
      { kind: 'attempted', path: '/targets/1', target: 'right', attempt: 1, status: 200, origin: 'upstream' },
      { kind: 'circuitChanged', path: '/targets/1', from: 'half-open', to: 'closed' },
    ];
    const line = { seed: 5, plan: 'routed@abc', route: 'POST /v1/chat/completions', status: 200, trail };
    expect(await replay(line, pair)).toMatchObject({ trail, recorded: { differsAt: null } });
  });

  it.each<[string, readonly object[]]>([
    ['an attempt', [{ kind: 'attempted', path: '', target: 'only', attempt: 1, status: 499, origin: 'gateway' }]],
    [
      'a wait before a retry',
      [
        { kind: 'attempted', path: '', target: 'only', attempt: 1, status: 429, origin: 'upstream' },
        { kind: 'retried', path: '', retry: 1, waitMs: 700 },
      ],
    ],
    ['a stream', [{ kind: 'attempted', path: '', target: 'only', attempt: 1, status: 200, origin: 'upstream' }]],
  ])('repeats a request whose client disconnected during %s', async (_, events) => {
    const config = { name: 'only', provider: 'echo', retry: { attempts: 2, use_retry_after_headers: true } };
    const line = { seed: 1, route: 'POST /v1/chat/completions', trail: [...events, { kind: 'clientLeft' }] };
    expect(await replay(line, config)).toMatchObject({ trail: line.trail, recorded: { differsAt: null } });
  });

  it('lets a conditional decide again if its facts are added to the log line', async () => {
    const { trail, status } = await replay({ metadata: { tier: 'gold' }, seed: 11 });
    const line = { seed: 11, plan: 'routed@abc', route: 'POST /v1/chat/completions', status, trail };
    expect(await replay(line)).toMatchObject({ recorded: { differsAt: null } });
    expect(await replay({ ...line, metadata: { tier: 'free' } })).toMatchObject({ recorded: { differsAt: 0 } });
  });

  it.each<[string, object | string, string]>([
    ['invalid JSON', '{"a":', 'request.json is not JSON: unexpected end of JSON input. Pass'],
    [
      'an empty file',
      ' \n',
      'request.json is empty. Pass one request, or one line of a request log. A gateway prints a line for each request if it runs with GW_LOG=requests.',
    ],
    ['several log lines', '{"seed":1}\n{"seed":2}\n\n{"seed":3', 'request.json has 3 lines of JSON. Pass one of them.'],
    [
      'a log line followed by text that is not JSON',
      '{"seed":1}\nhello',
      'request.json is not JSON: unexpected non-whitespace character',
    ],
    ['a file that is not an object', '[]', 'request.json contains no object.'],
    ['a misspelt member', { metdata: {} }, 'metdata is not a member that is read. Did you mean "metadata"?'],
    [
      'a misspelt member of a step',
      { upstream: [{ statsu: 200 }] },
      'upstream[0].statsu is not a member that is read.',
    ],
    [
      'a target that the plan does not have',
      { upstream: [{ target: 'claud' }] },
      'no such target. Did you mean "claude"?',
    ],
    ['an invalid status', { upstream: [{ status: 99 }] }, 'upstream[0].status must be a status from 200 to 599.'],
    ['an unknown fault', { upstream: [{ error: 'boom' }] }, 'must be one of refused, busy, hang, cut, in-band.'],
    ['an invalid seed', { seed: -1 }, 'seed must be a whole number of at least 0.'],
    ['a header that is not a string', { headers: { a: 1 } }, 'headers.a must be a text.'],
    ['an invalid trail', { trail: [{ kind: 'jumped' }] }, 'trail is not the trail of a request log.'],
    ['an unknown path', { path: '/elsewhere' }, 'The gateway has no endpoint at /elsewhere.'],
  ])('rejects %s in one sentence', async (_, request, words) => {
    const cwd = temporaryFolder({ 'routed.json': routed, 'request.json': request });
    const { code, err, out } = await runGw(cwd, ['explain', 'routed.json', '--request', 'request.json']);
    expect(err).toContain(words);
    expect({ code, out }).toEqual({ code: 2, out: '' });
  });
});

const conditionalOnModel = {
  mode: 'conditional',
  conditions: [{ query: { 'params.model': 'x' }, then: 'careful' }],
  default: 'cheap',
};
