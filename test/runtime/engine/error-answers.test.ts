import { describe, expect, it } from 'vitest';
import { messages } from '../../../plugins/dialects/messages/messages.ts';
import { clientClosedResponse } from '../../../runtime/engine/error-responses/client-closed-response.ts';
import { errorResponse } from '../../../runtime/engine/error-responses/error-response.ts';
import { branchAt } from '../../../runtime/engine/nodes/branch-at.ts';
import { errorReport, gatewayError } from '../../../schema/errors/errors.ts';
import { toPointer } from '../../../schema/json/pointer.ts';
import { createCountingLimiter } from '../../support/in-process/counting-limiter.ts';
import { runConfig, toJson } from '../../support/in-process/run-config.ts';
import { sampleExchange } from '../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../support/in-process/stub-upstreams.ts';

const openai = { provider: 'openai', api_key: '${env:KEY}' };
const limitReached = () => gatewayError('rate-limited', { policy: 'p', limit: '2 a minute', suggestion: 'Wait.' });

describe("an error of the gateway's own", () => {
  const report = errorReport('unknown-prompt', { prompt: 'p' });

  it('is an answer with its status, in the dialect of its client if there is one', () => {
    const plain = errorResponse(report, { dialect: undefined });
    expect(plain).toMatchObject({ status: 404, origin: 'gateway', cause: 'unknown-prompt' });
    expect(plain.headers).toEqual(['content-type', 'application/json']);
    expect(plain).not.toHaveProperty('leaf');
    const { message, type, code } = report;
    expect(toJson(plain)).toEqual({ error: { message, type, param: null, code } });
    expect(toJson(errorResponse(report, { dialect: messages }))).toEqual(messages.encodeError(report));
  });

  it('names its leaf', () => {
    const leaf = { path: toPointer([]), provider: 'p', retries: 0, cache: 'DISABLED' } as const;
    expect(errorResponse(report, { dialect: undefined, leaf }).leaf).toBe(leaf);
  });
});

describe('a leaf whose target cannot be prepared', () => {
  const prompted = async (given: Parameters<typeof sampleExchange>[1]) => {
    const { gateway, clock, plan } = runConfig(openai, { upstream: () => stubAnswer({}) });
    const targets = plan.targets.map((target) => ({ ...target, from: { kind: 'prompt', promptId: 'p' } }) as const);
    const linked = gateway.link({ plan: { ...plan, targets }, secrets: () => 'x' });
    return clock.settle(gateway.handle(sampleExchange({}, given), linked));
  };

  it("answers in its client's dialect if there is one", async () => {
    const route = { operation: 'converse', dialect: 'messages' } as const;
    expect(toJson(await prompted({ route }))).toMatchObject({ type: 'error', error: { type: 'not_found_error' } });
    const opaque = await prompted({ route: { operation: 'opaque' } });
    expect(toJson(opaque)).toMatchObject({ error: { code: 'unknown-prompt', param: null } });
  });

  it("is reported with the plan's provider, whatever the request names", async () => {
    const { handle } = runConfig({ provider: 'openai', api_key: '${env:KEY}' }, { upstream: () => stubAnswer({}) });
    const overrides = { provider: 'groq' };
    const route = { operation: 'embed', dialect: 'martian' } as const;
    expect((await handle(sampleExchange({}, { overrides, route }))).leaf?.provider).toBe('openai');
    expect((await prompted({ overrides })).leaf).toEqual({ path: '', provider: '', retries: 0, cache: 'DISABLED' });
  });
});

describe('a leaf that fails without an answer of its provider', () => {
  const cached = { ...openai, cache: { mode: 'simple' } };
  const body = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };

  it('reports neither a cache nor an attempt if the request was never sent', async () => {
    const limiter = createCountingLimiter({
      attempt: () => {
        throw limitReached();
      },
    });
    const { handle, upstreams } = runConfig(cached, { upstream: () => stubAnswer({}), limiter });
    const { status, leaf } = await handle(sampleExchange(body, { kept: {} }));
    expect(status).toBe(429);
    expect(leaf).toEqual({ path: '', provider: 'openai', retries: 0, cache: 'DISABLED' });
    expect(upstreams.requests).toEqual([]);
  });

  it('counts the attempts that were sent before', async () => {
    const limiter = createCountingLimiter({
      attempt: (_attempt, number) => {
        if (number > 2) throw limitReached();
      },
    });
    const { handle } = runConfig(
      { ...cached, retry: { attempts: 3 } },
      { upstream: () => stubAnswer({}, { status: 503 }), limiter },
    );
    const { status, leaf } = await handle(sampleExchange(body));
    expect(status).toBe(429);
    expect(leaf).toEqual({ path: '', provider: 'openai', retries: 1, cache: 'MISS' });
  });
});

describe('the answer for a client that disconnected', () => {
  it('is empty', () => {
    expect(clientClosedResponse).toEqual({
      status: 499,
      headers: [],
      origin: 'gateway',
      body: { kind: 'bytes', bytes: Buffer.alloc(0) },
    });
  });
});

describe('a branch that a plan does not have', () => {
  it('is an internal error that names the index', () => {
    expect(() => branchAt([], 3)).toThrow(new RangeError('There is no branch 3 among 0.'));
  });
});
