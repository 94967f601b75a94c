import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schema/json/json.ts';
import { gatewayAndUpstream } from '../support/gateway-and-upstream.ts';
import { clientOf, sound, toHash } from './support.ts';

const world = gatewayAndUpstream();

const target = (more: JsonObject = {}): JsonObject => ({
  provider: 'openai',
  api_key: 'key-of-the-test',
  custom_host: `${world.upstream.origin}/v1`,
  ...more,
});

const asked = { model: 'tts-1', voice: 'alloy', input: 'Say it.' };
const speak = (config: JsonObject, more: object = {}) =>
  clientOf(world.gateway.baseUrl, config).audio.speech.create({ ...asked, ...more });

describe('a speech request', () => {
  it.each([0, 1, 5 * 1024 * 1024])('gets its audio unchanged: %i bytes', async (length) => {
    const bytes = sound(length);
    world.upstream.handle((call) => {
      expect(call.request.json()).toEqual({ ...asked, model: 'tts-2' });
      call.answer({ headers: { 'content-type': 'audio/mpeg', 'x-own': 'yes' }, body: Buffer.from(bytes) });
    });
    const answer = await speak(target({ override_params: { model: 'tts-2' } }));
    expect(answer.headers.get('content-type')).toBe('audio/mpeg');
    expect(toHash(new Uint8Array(await answer.arrayBuffer()))).toBe(toHash(bytes));
  });

  it('falls back from an error, and from an answer that is not audio', async () => {
    for (const answer of [
      { status: 500, headers: { 'content-type': 'application/json' }, body: '{"error":{"message":"Busy."}}' },
      { status: 200, headers: { 'content-type': 'application/json' }, body: '{"error":{"message":"Busy."}}' },
      { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Busy.</html>' },
    ]) {
      let calls = 0;
      world.upstream.handle((call) => {
        calls += 1;
        call.answer(calls === 1 ? answer : { headers: { 'content-type': 'audio/mpeg' }, body: 'sound' });
      });
      const config = { strategy: { mode: 'fallback' }, targets: [target(), target()] };
      expect(await (await speak(config)).text()).toBe('sound');
      expect(calls).toBe(2);
    }
  });

  it('has its answer cut off if the provider cuts it off', async () => {
    world.upstream.handle((call) =>
      call.answer({
        headers: { 'content-type': 'audio/mpeg', 'content-length': '1000' },
        body: 'short',
        cutAfter: 120,
      }),
    );
    const answer = await speak(target());
    await expect(answer.arrayBuffer()).rejects.toThrow();
  });

  it("streams as events, and ends with an error instead of a clean end if the provider's stream is cut", async () => {
    const events = [
      { type: 'speech.audio.delta', audio: 'AAAA' },
      { type: 'speech.audio.done', usage: { input_tokens: 4, output_tokens: 30, total_tokens: 34 } },
    ];
    world.upstream.handle((call) => {
      const stream = call.sse();
      for (const event of events) stream.frame(event);
      stream.end();
    });
    const answer = await speak(target(), { stream_format: 'sse' });
    const text = await answer.text();
    expect(text.match(/speech\.audio\.\w+/g)).toEqual(['speech.audio.delta', 'speech.audio.done']);
    world.upstream.handle((call) => {
      const stream = call.sse();
      stream.frame(events[0] ?? '');
      stream.end();
    });
    const torn = await (await speak(target(), { stream_format: 'sse' })).text();
    expect(torn).toContain('"error"');
    expect(torn).not.toContain('speech.audio.done');
  });

  it('is judged by its text, and is refused if a check may deny the audio', async () => {
    let calls = 0;
    world.upstream.handle((call) => {
      calls += 1;
      call.answer({ headers: { 'content-type': 'audio/mpeg' }, body: 'sound' });
    });
    const rule = { 'default.contains': { words: ['secret'], operator: 'none' }, deny: true };
    await expect(speak(target({ input_guardrails: [rule] }), { input: 'a secret' })).rejects.toMatchObject({
      status: 446,
    });
    expect(calls).toBe(0);
    expect(await (await speak(target({ input_guardrails: [rule] }))).text()).toBe('sound');
    await expect(speak(target({ output_guardrails: [rule] }))).rejects.toMatchObject({ status: 446 });
  });
});
