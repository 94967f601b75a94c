import { expect, it } from 'vitest';
import type { Sealer } from '../../../../plugins/control/kernel/secrets/sealer.ts';
import { defaultLogSettings } from '../../../../plugins/control/logs/settings/log-settings.ts';
import { sealedBodies } from '../../../../plugins/control/logs/writer/sealed-bodies.ts';

const row = { id: 'i', workspace_id: 'w' };

/** Returns the texts that would be sealed. */
const kept = async (response: Uint8Array, bodyBytes = 65_536, redact: readonly string[] = []): Promise<unknown> => {
  const sealed: unknown[] = [];
  const seal: Sealer['seal'] = (text) => {
    sealed.push(JSON.parse(text.toString()));
    return Promise.reject(new Error('Nothing is sealed here.'));
  };
  const settings = { ...defaultLogSettings, bodies: true, bodyBytes, redact };
  await sealedBodies(row, { request: undefined, response }, { sealer: { seal }, settings });
  return sealed[0];
};

it.each([
  ['data: "你好"\n', 7, 'data: "'],
  ['data: "你好"\n', 8, 'data: "'],
  ['data: "你好"\n', 10, 'data: "你'],
  ['😀😀', 7, '😀'],
])('a text that is cut ends with a whole character: %j after %i bytes', async (text, bytes, expected) => {
  const whole = Buffer.from(text);
  expect(await kept(whole, bytes)).toEqual({ response: expected });
  // A stream is cut earlier, for example if its client disconnects.
  expect(await kept(whole.subarray(0, bytes), bytes)).toEqual({ response: expected });
});

it('a redacted text is also cut at the byte limit, after a whole character', async () => {
  const body = Buffer.from('{"mood":"好好好","text":"secret"}');
  expect(await kept(body, 13, ['/text'])).toEqual({ response: '{"mood":"好' });
  const smiling = Buffer.from('{"mood":"😀"}');
  expect(await kept(smiling, 10, ['/text'])).toEqual({ response: '{"mood":"' });
});

it('a stream that is cut keeps its complete events, with redactions', async () => {
  const event = 'data: {"text":"secret","mood":"好"}\n\n';
  const cut = Buffer.from(event + event).subarray(0, -6);
  expect(await kept(cut, 65_536, ['/text'])).toEqual({ response: 'data: {"text":"[redacted]","mood":"好"}\n' });
});

it('a stream that is a single list of events is redacted in each event', async () => {
  const events = Buffer.from('[{"text":"secret","mood":"good"}\n,\n{"text":"secret too"}]');
  expect(await kept(events, 65_536, ['/text'])).toEqual({
    response: '[{"text":"[redacted]","mood":"good"},{"text":"[redacted]"}]',
  });
  expect(await kept(events, 65_536, ['/1'])).toEqual({ response: '[{"text":"secret","mood":"good"},"[redacted]"]' });
});

it('a body that is not text is not stored', async () => {
  expect(await kept(Buffer.from([0xff, 0xfe, 0x61, 0x62, 0x63, 0x64, 0x65]))).toEqual({});
});
