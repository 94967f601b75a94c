import { describe, expect, it } from 'vitest';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';

/** Lines that a gateway logged and that were once explained incorrectly. */

const provider = { provider: 'openai', custom_host: 'http://127.0.0.1:1/v1' };
const retry = { attempts: 1 };
const attempt = (path: string, target: string, more: object = {}): object => ({
  kind: 'attempted',
  path,
  target,
  attempt: 1,
  status: 200,
  origin: 'upstream',
  ...more,
});
const words = (text: string): object => ({ 'default.contains': { words: [text], operator: 'any' }, deny: true });

interface Logged {
  readonly config: object;
  readonly line: {
    readonly route?: string;
    readonly once?: true;
    readonly stream?: true;
    readonly empty?: true;
    readonly cause?: string;
    readonly status: number;
    readonly trail: readonly object[];
  };
}

const cases: Readonly<Record<string, Logged>> = {
  'a target that reached a limit, before another target answered': {
    config: {
      strategy: { mode: 'fallback' },
      targets: [
        { ...provider, name: 'a', retry },
        { ...provider, name: 'b' },
      ],
    },
    line: {
      status: 200,
      trail: [{ kind: 'fellBack', path: '', from: 0, to: 1, status: 412 }, attempt('/targets/1', 'b')],
    },
  },
  'a target that reached a limit, with no other target': {
    config: { ...provider, retry },
    line: { status: 429, cause: 'rate-limited', trail: [] },
  },
  'a body that was streamed and so could not be sent again': {
    config: { ...provider, retry },
    line: {
      route: 'POST /v1/files',
      once: true,
      status: 429,
      trail: [attempt('', 'only', { status: 429 })],
    },
  },
  'a body that was streamed to a connection that broke': {
    config: { ...provider, retry },
    line: {
      route: 'POST /v1/files',
      once: true,
      status: 502,
      trail: [attempt('', 'only', { status: 502, origin: 'network' })],
    },
  },
  'a body that was not read before the time was over': {
    config: {
      strategy: { mode: 'fallback' },
      targets: [
        { ...provider, name: 'a' },
        { ...provider, name: 'b' },
      ],
    },
    line: {
      route: 'POST /v1/files',
      once: true,
      status: 200,
      trail: [
        attempt('/targets/0', 'a', { status: 408, origin: 'timeout' }),
        { kind: 'fellBack', path: '', from: 0, to: 1, status: 408 },
        attempt('/targets/1', 'b'),
      ],
    },
  },
  'a pass-through request without a body, which could be sent again': {
    config: { ...provider, retry },
    line: {
      route: 'POST /v1/batches/1/cancel',
      status: 200,
      trail: [
        attempt('', 'only', { status: 502, origin: 'network' }),
        { kind: 'retried', path: '', retry: 1, waitMs: 583.4723553281774 },
        attempt('', 'only', { attempt: 2 }),
      ],
    },
  },
  'a pass-through request without a body, with a guardrail that may deny': {
    config: { ...provider, input_guardrails: [words('rain')] },
    line: { route: 'POST /v1/batches/1/cancel', empty: true, status: 200, trail: [attempt('', 'only')] },
  },
  'a body that no guardrail could judge, either streamed or read for its overrides': {
    config: { ...provider, override_params: { seed: 1 }, input_guardrails: [words('rain')] },
    line: { route: 'POST /v1/assistants', status: 403, cause: 'unjudged-request', trail: [] },
  },
  'an answer that no check could read and that was denied': {
    config: { ...provider, output_guardrails: [words('rain')] },
    line: {
      status: 446,
      cause: 'checks-failed',
      trail: [
        attempt('', 'only', { status: 502, origin: 'network' }),
        { kind: 'checked', path: '', phase: 'output', result: 'denied' },
      ],
    },
  },
  'a body that was not JSON, if a leaf changes it': {
    config: { ...provider, override_params: { seed: 1 } },
    line: { status: 400, cause: 'malformed-body', trail: [] },
  },
  'a body that was not JSON, if a condition reads it or, because of the metadata, does not': {
    config: {
      strategy: {
        mode: 'conditional',
        conditions: [{ query: { 'metadata.tier': { $ne: 'gold' } }, then: 'b' }],
        default: 'a',
      },
      targets: [
        {
          name: 'a',
          strategy: {
            mode: 'conditional',
            conditions: [{ query: { 'metadata.tier': 'gold', 'params.model': 'x' }, then: 'c' }],
            default: 'd',
          },
          targets: [
            { ...provider, name: 'c', override_params: { seed: 1 } },
            { ...provider, name: 'd' },
          ],
        },
        { ...provider, name: 'b' },
      ],
    },
    line: { status: 400, cause: 'malformed-body', trail: [{ kind: 'chose', path: '', branch: 0 }] },
  },
  'a request that the dialect of one provider could not express': {
    config: {
      strategy: { mode: 'fallback' },
      targets: [
        { name: 'a', provider: 'anthropic', custom_host: 'http://127.0.0.1:1/v1' },
        { ...provider, name: 'b' },
      ],
    },
    line: {
      status: 200,
      trail: [{ kind: 'fellBack', path: '', from: 0, to: 1, status: 400 }, attempt('/targets/1', 'b')],
    },
  },
  'an operation that one provider does not have, with checks of answers': {
    config: {
      strategy: { mode: 'fallback' },
      output_guardrails: [words('rain')],
      targets: [
        { name: 'a', provider: 'anthropic', custom_host: 'http://127.0.0.1:1/v1' },
        { ...provider, name: 'b' },
      ],
    },
    line: {
      route: 'POST /v1/embeddings',
      status: 200,
      trail: [{ kind: 'fellBack', path: '', from: 0, to: 1, status: 501 }, attempt('/targets/1', 'b')],
    },
  },
  'a pass-through answer whose client disconnected': {
    config: { ...provider, cb_config: { failure_threshold: 1, cooldown_interval: 60_000 } },
    line: { route: 'POST /v1/files', once: true, status: 200, trail: [attempt('', 'only'), { kind: 'clientLeft' }] },
  },
  'a client that disconnected during the wait after a time-out': {
    config: { ...provider, retry: { ...retry, on_status_codes: [408] } },
    line: {
      status: 499,
      trail: [
        attempt('', 'only', { status: 408, origin: 'timeout' }),
        { kind: 'retried', path: '', retry: 1, waitMs: 583.4723553281774 },
        { kind: 'clientLeft' },
      ],
    },
  },
  'a deadline that passed together with the time-out of the target that was to continue a stream': {
    config: {
      deadline_ms: 300,
      strategy: { mode: 'fallback', continue: true },
      targets: [
        { ...provider, name: 'a' },
        { ...provider, name: 'b', request_timeout: 150 },
      ],
    },
    line: {
      stream: true,
      status: 200,
      trail: [
        attempt('/targets/0', 'a'),
        { kind: 'streamFailed', path: '/targets/0', cause: 'stream-error' },
        attempt('/targets/1', 'b', { status: 408, origin: 'timeout' }),
        { kind: 'notContinued', path: '', branch: 0, reason: 'refused' },
        { kind: 'deadlinePassed', ms: 300 },
      ],
    },
  },
  'a check that failed with an error': {
    config: { ...provider, input_guardrails: [words('rain')] },
    line: {
      status: 200,
      trail: [{ kind: 'checked', path: '', phase: 'input', result: 'passed', erred: true }, attempt('', 'only')],
    },
  },
  'an answer to a similar question': {
    config: { ...provider, cache: { mode: 'semantic' } },
    line: {
      status: 200,
      trail: [{ kind: 'cached', path: '', status: 'SEMANTIC HIT', ageS: 7, similarity: 0.9732 }],
    },
  },
  'a stream that was not requested and broke': {
    config: { ...provider, output_guardrails: [{ ...words('rain'), deny: false }] },
    line: {
      status: 200,
      trail: [
        attempt('', 'only'),
        { kind: 'checked', path: '', phase: 'output', result: 'passed' },
        { kind: 'streamFailed', path: '', cause: 'stream-cut' },
      ],
    },
  },
};

describe('gw explain --request repeats', () => {
  it.each(Object.entries(cases))('%s', async (_, { config, line }) => {
    const logged = { seed: 2809748434, plan: 'only@074f9e88be12', route: 'POST /v1/chat/completions', ...line };
    const cwd = temporaryFolder({ 'only.json': { name: 'only', ...config }, 'line.json': logged });
    const argv = ['explain', 'only.json', '--request', 'line.json', '--format', 'json'];
    const { out, err } = await runGw(cwd, argv);
    expect(err).toBe('');
    const { status, trail, recorded } = JSON.parse(out).request;
    expect({ status, trail }).toEqual({ status: line.status, trail: line.trail });
    expect(recorded).toMatchObject({ differsAt: null });
  });

  it('a line that also has the similarity of the nearest question in a cache', async () => {
    const trail = [{ kind: 'missed', path: '', similarity: 0.9131 }, attempt('', 'only')];
    const cwd = temporaryFolder({
      'only.json': { name: 'only', ...provider, cache: { mode: 'semantic' } },
      'line.json': { seed: 1, plan: 'only@1', route: 'POST /v1/chat/completions', status: 200, trail },
    });
    const { out, err } = await runGw(cwd, ['explain', 'only.json', '--request', 'line.json', '--format', 'json']);
    expect(err).toBe('');
    const { request } = JSON.parse(out);
    expect(request.trail).toEqual([attempt('', 'only')]);
    expect(request.recorded).toMatchObject({ differsAt: null });
  });

  it('a line that also has the usage and times of its attempts', async () => {
    const settled = (path: string, target: string): object => ({
      kind: 'settled',
      path,
      target,
      attempt: 1,
      ms: { end: 30 },
      usage: { kind: 'none', model: 'm', input: { total: 0 }, output: { total: 0 } },
    });
    const [first, second] = [attempt('/targets/0', 'a', { status: 503 }), attempt('/targets/1', 'b')];
    const fellBack = { kind: 'fellBack', path: '', from: 0, to: 1, status: 503 };
    const timed = { ...second, ms: { sent: 3.5, head: 20.25 } };
    const trail = [first, settled('/targets/0', 'a'), fellBack, timed, settled('/targets/1', 'b')];
    const targets = [
      { ...provider, name: 'a' },
      { ...provider, name: 'b' },
    ];
    const cwd = temporaryFolder({
      'only.json': { name: 'only', strategy: { mode: 'fallback' }, targets },
      'line.json': { seed: 1, plan: 'only@1', route: 'POST /v1/chat/completions', status: 200, trail },
    });
    const { out, err } = await runGw(cwd, ['explain', 'only.json', '--request', 'line.json', '--format', 'json']);
    expect(err).toBe('');
    const { request } = JSON.parse(out);
    expect(request.trail).toEqual([first, fellBack, second]);
    expect(request.recorded).toMatchObject({ differsAt: null });
  });
});
