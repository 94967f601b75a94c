import { expect, it } from 'vitest';
import { chat } from '../../../plugins/dialects/chat/chat.ts';
import { createRelay } from '../../../runtime/streams/create-relay.ts';
import { UsageMeter } from '../../../runtime/usage/usage-meter.ts';

const frame = (chunk: object): string => `data: ${JSON.stringify(chunk)}\n\n`;

const said = (content: string, finish: string | null = null) => ({
  id: 'c',
  choices: [{ index: 0, delta: { content }, finish_reason: finish }],
});

const counts = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
const chunks = [said('a'), said('"usage":null}'), said('ü, "usage"'), said('', 'stop')];
const done = 'data: [DONE]\n\n';

/** The places of the member in a chunk: at its end, at its beginning, or before other members. */
const placings: Readonly<Record<string, (chunk: object, usage: object | null) => object>> = {
  'at its end': (chunk, usage) => ({ ...chunk, usage }),
  'at its beginning': (chunk, usage) => ({ usage, ...chunk }),
  'before other members': (chunk, usage) => ({ ...chunk, usage, obfuscation: 'x{"y\\', more: { usage: null } }),
};

for (const [place, placed] of Object.entries(placings))
  it(`usage is removed from each frame that has it ${place}, wherever chunks end`, () => {
    const sent = [...chunks.map((chunk) => frame(placed(chunk, null))), frame(placed({ choices: [] }, counts)), done];
    const expected = chunks.map((chunk) =>
      frame(JSON.parse(JSON.stringify({ ...placed(chunk, null), usage: undefined }))),
    );
    const bytes = Buffer.from(sent.join(''));
    for (let at = 1; at < bytes.length; at += 1) {
      const meter = new UsageMeter(chat);
      const relay = createRelay({ upstream: chat, client: chat, meter, strip: 'usage' });
      const steps = [relay.push(bytes.subarray(0, at)), relay.push(bytes.subarray(at)), relay.finish()];
      expect(steps.map((step) => step.bytes.toString('latin1')).join('')).toBe(
        Buffer.from([...expected, done].join('')).toString('latin1'),
      );
      meter.begin();
      meter.end();
      expect(meter.usage({ requestBytes: () => 0 })).toMatchObject({ input: 3, output: 2 });
    }
  });
