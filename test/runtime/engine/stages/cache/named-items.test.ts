import { expect, it } from 'vitest';
import type { Exchange } from '../../../../../plugins/sdk/exchange/exchange.ts';
import { receiveBody } from '../../../../../plugins/testkit/route/received-body.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { runConfig } from '../../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../../../support/in-process/stub-upstreams.ts';
import { openaiAnswer, openaiStream } from '../../../../support/vendors/openai-wire.ts';

const hour = 3_600_000;
const sse = ['content-type', 'text/event-stream; charset=utf-8'];

const asked = (body: JsonObject): Exchange => ({
  ...sampleExchange(body, { route: { operation: 'converse', dialect: 'responses' } }),
  trail: [],
});

it.each([false, true])(
  'remembers the items of a cached answer as long as those of a new one, streamed: %s',
  async (stream) => {
    const text = 'It rains.';
    const { clock, handle, upstreams } = runConfig(
      { provider: 'mistral-ai', api_key: '${env:KEY}', cache: { mode: 'simple', max_age: 10_800 } },
      {
        upstream: ({ body }) =>
          body.kind === 'bytes' && Buffer.from(body.bytes).includes('"stream":true')
            ? stubAnswer(openaiStream({ text }).join(''), { headers: sse })
            : stubAnswer(openaiAnswer({ text })),
      },
    );
    const question = { role: 'user', content: 'How is the weather?' };
    const ask = async (): Promise<string> => {
      const { body } = await handle(asked({ model: 'm', input: [question], stream }));
      return Buffer.from((await clock.settle(receiveBody(body))).bytes).toString();
    };
    const first = await ask();
    clock.advance(0.9 * hour);
    expect(await ask()).toBe(first);
    expect(upstreams.requests).toHaveLength(1);
    clock.advance(0.9 * hour);
    const id = /"id":"(msg_[^"]+)"/.exec(first)?.[1] ?? '';
    const named = [question, { type: 'item_reference', id }, { role: 'user', content: 'And now?' }];
    expect(await handle(asked({ model: 'm', input: named }))).toMatchObject({ status: 200 });
  },
);
