import { describe, expect, it } from 'vitest';
import { memoryCache } from '../../../../../plugins/caches/memory-cache.ts';
import { defineCache } from '../../../../../plugins/sdk/cache/cache.ts';
import type { Exchange } from '../../../../../plugins/sdk/exchange/exchange.ts';
import { defineGuardrail } from '../../../../../plugins/sdk/guardrail/guardrail.ts';
import { definePlugin } from '../../../../../plugins/sdk/plugin/plugin.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { runConfig } from '../../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../../../support/in-process/stub-upstreams.ts';
import { openaiAnswer } from '../../../../support/vendors/openai-wire.ts';

/** Takes numbers out of requests and restores them in answers. */
const hiding = definePlugin({
  name: 'hiding',
  guardrails: [
    defineGuardrail({
      id: 'hide.numbers',
      parameters: { type: 'object', properties: {} },
      create:
        (_parameters, { placeholder }) =>
        ({ spans, tenant }) => {
          const found = spans.flatMap(({ text }, span) =>
            [...text.matchAll(/\d+/g)].map((match) => ({ span, from: match.index, text: match[0] })),
          );
          const named = found.map((each) => ({
            ...each,
            with: placeholder(tenant, { kind: 'NUMBER', text: each.text }),
          }));
          return {
            pass: true,
            data: {},
            replace: named.map(({ text, ...each }) => ({ ...each, to: each.from + text.length })),
            restore: Object.fromEntries(named.map((each) => [each.with, each.text])),
          };
        },
    }),
  ],
});

const config: JsonObject = {
  provider: 'openai',
  api_key: '${env:KEY}',
  cache: { mode: 'simple' },
  input_guardrails: [{ 'hide.numbers': {} }],
};

const asking = (number: string, more: JsonObject = {}): Exchange =>
  sampleExchange({ model: 'm', messages: [{ role: 'user', content: `Call ${number}.` }], ...more }, { trail: [] });

describe('an answer to a request whose values were taken out', () => {
  it('is stored with placeholders, shared only by equal values, and returned with the values', async () => {
    const stored: string[] = [];
    const caches = [
      defineCache({
        mode: 'simple',
        create: (options, { timers }) => {
          const cache = memoryCache(options, timers);
          return {
            ...cache,
            write: (key, entry, ttlS) => {
              stored.push(Buffer.from(entry.body).toString());
              return cache.write(key, entry, ttlS);
            },
          };
        },
      }),
    ];
    const { handle } = runConfig(config, {
      caches,
      plugins: [hiding],
      upstream: ({ body }) => {
        const sent = body.kind === 'bytes' ? JSON.parse(Buffer.from(body.bytes).toString()) : {};
        return stubAnswer(openaiAnswer({ text: `You said: ${sent.messages[0].content}` }));
      },
    });
    const answers: unknown[] = [];
    for (const number of ['4711', '0815', '4711', '0815']) {
      const { body, leaf } = await handle(asking(number));
      const text = body.kind === 'bytes' ? Buffer.from(body.bytes).toString() : '';
      answers.push([leaf?.cache, /You said: [^"]*/.exec(text)?.[0]]);
    }
    expect(answers).toEqual([
      ['MISS', 'You said: Call 4711.'],
      ['MISS', 'You said: Call 0815.'],
      ['HIT', 'You said: Call 4711.'],
      ['HIT', 'You said: Call 0815.'],
    ]);
    expect(stored).toHaveLength(2);
    for (const text of stored) {
      expect(text).toMatch(/Call \[NUMBER_[0-9a-f]{12}\]/);
      expect(text).not.toMatch(/4711|0815/);
    }
  });
});

describe('plugins', () => {
  it('see a cached request as one exchange', async () => {
    const seen = new Set<Exchange>();
    const watching = definePlugin({
      name: 'watching',
      apply: (hooks) => {
        hooks.admit.tap('watching', (_leaf, exchange) => void seen.add(exchange));
        hooks.attempted.tap('watching', (_event, exchange) => void seen.add(exchange));
        hooks.completed.tap('watching', (_response, exchange) => void seen.add(exchange));
      },
    });
    const { handle } = runConfig(config, {
      plugins: [hiding, watching],
      upstream: () => stubAnswer(openaiAnswer({ text: 'hi' })),
    });
    const exchange = asking('4711');
    await handle(exchange);
    expect([...seen]).toEqual([exchange]);
  });
});
