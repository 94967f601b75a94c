import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../../../plugins/sdk/exchange/exchange.ts';
import type { GatewayResponse } from '../../../../../plugins/sdk/http/http.ts';
import { createEmbedder } from '../../../../../runtime/engine/stages/cache/embedder.ts';
import { embeddingRunner } from '../../../../../runtime/engine/stages/cache/embedding-runner.ts';
import { withEmbedLog } from '../../../../../runtime/engine/stages/cache/with-embed-log.ts';
import { type ErrorCode, errorTable } from '../../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { toTenant } from '../../../../support/in-process/sample-exchange.ts';
import { fakeLinkedPlan } from '../../../../support/plans/fake-linked-plan.ts';
import { samplePlan } from '../../../../support/plans/sample-plan.ts';

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorTable, code);

const request = { text: 'a text', tenant: toTenant('ann'), timeoutMs: 250 };

const answer = (body: JsonObject | string, status = 200): GatewayResponse => ({
  status,
  headers: [],
  origin: 'upstream',
  body: { kind: 'bytes', bytes: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) },
});

const embedding = (numbers: readonly (number | string)[]): JsonObject => ({ data: [{ embedding: [...numbers] }] });

describe('the vector of a text', () => {
  it('is requested on behalf of the tenant, within the time-out, with nothing but the text', async () => {
    const seen: Exchange[] = [];
    const embed = createEmbedder(async (exchange) => {
      seen.push(exchange);
      return answer(embedding([0.5, -1]));
    });
    expect(await embed(request)).toEqual([0.5, -1]);
    expect(seen[0]).toMatchObject({
      principal: { tenant: 'ann' },
      route: { operation: 'embed', dialect: 'embeddings' },
      overrides: { timeoutMs: 250 },
    });
    expect(seen[0]?.json()).toEqual({ input: 'a text' });
  });

  it.each<[string, GatewayResponse]>([
    ['an error', answer(embedding([1]), 429)],
    ['not JSON', answer('oops')],
    ['without a vector', answer({ data: [] })],
    ['an empty vector', answer(embedding([]))],
    ['text in place of numbers', answer(embedding(['a']))],
    ['a vector of too many numbers', answer(embedding(Array.from({ length: 16_385 }, () => 1)))],
  ])('is unavailable if the answer is %s', async (_, response) => {
    await expect(createEmbedder(async () => response)(request)).rejects.toThrow(/vector of a text/);
  });

  it.each<[string, Partial<GatewayResponse>, string]>([
    ['its own error', { cause: 'connection-failed', origin: 'network' }, 'status 502: The provider is away.'],
    ['the error of a provider, which may repeat the text', {}, 'status 502.'],
  ])('is unavailable, and the reason is reported, if the gateway answers with %s', async (_, more, text) => {
    const response = { ...answer({ error: { message: 'The provider is away.' } }, 502), ...more };
    await expect(createEmbedder(async () => response)(request)).rejects.toThrow(
      `The request for the vector of a text was answered with ${text}`,
    );
  });

  it.each(['request-timeout', 'connection-failed'] as const)(
    'is unavailable, and the error omits the advice of "%s" on fallbacks, which does not apply',
    async (cause) => {
      const message = `The host is away. ${errorTable[cause].hint}`;
      const response = { ...answer({ error: { message } }, 502), cause };
      await expect(createEmbedder(async () => response)(request)).rejects.toThrow(/status 502: The host is away\.$/);
      expect(message).toContain('fallback');
    },
  );

  it.each(Object.keys(errorTable).filter(isErrorCode))(
    'is unavailable, and the error omits the advice of "%s" for senders',
    async (cause) => {
      const { hint } = errorTable[cause];
      const response = { ...answer({ error: { message: `It failed. ${hint}` } }, 502), cause };
      const error: unknown = await createEmbedder(async () => response)(request).catch((thrown: unknown) => thrown);
      expect(String(error)).toMatch(/status 502: It failed\./);
      expect(String(error)).not.toMatch(/fallback|retry-after|Send the request again/);
    },
  );

  it('is unavailable, and the error explains what the operator can do about an untrusted host', async () => {
    const cause: ErrorCode = 'address-not-allowed';
    const response = { ...answer({ error: { message: `It failed. ${errorTable[cause].hint}` } }, 502), cause };
    await expect(createEmbedder(async () => response)(request)).rejects.toThrow(/under trusted_hosts\.$/);
  });

  it('causes one message to the operator when it fails, and one when it works again', async () => {
    const answers = [answer({}, 401), answer({}, 401), answer(embedding([1])), answer(embedding([1]))];
    const messages: string[] = [];
    const embed = withEmbedLog(
      createEmbedder(async () => answers.shift() ?? answer({}, 500)),
      (text) => messages.push(text),
    );
    for (const _ of [1, 2, 3, 4]) await embed(request).catch(() => {});
    expect(messages).toEqual([
      'The provider of "cache.semantic" does not return vectors, so only identical requests are answered from the cache. The request for the vector of a text was answered with status 401. If this continues, correct "cache.semantic" in the gateway file, or the saved provider that it names. Its "timeout_ms" is how long a vector may take.',
      'The provider of "cache.semantic" works again.',
    ]);
  });

  it('comes from a plan that is loaded once, and again if loading failed', async () => {
    let loads = 0;
    const linked = fakeLinkedPlan(samplePlan(), async () => answer(embedding([1])));
    const run = embeddingRunner({
      plan: async () => {
        loads += 1;
        if (loads === 1) throw new Error('not yet');
        return samplePlan();
      },
      link: () => linked,
    });
    const embed = createEmbedder(run);
    await expect(embed(request)).rejects.toThrow('not yet');
    await embed(request);
    await embed(request);
    expect(loads).toBe(2);
  });
});
