import { describe, expect, it } from 'vitest';
import { SessionEvents } from '../../../../../runtime/engine/attempt/sessions/session-events.ts';
import type { Turn } from '../../../../../runtime/engine/attempt-usage/attempt-usage.ts';

/** Returns the turns that a session with these events has had. */
const turnsOf = (events: readonly (object | string)[]): readonly Turn[] => {
  const turns: Turn[] = [];
  const session = new SessionEvents((turn) => turns.push(turn));
  for (const event of events) session.read(Buffer.from(typeof event === 'string' ? event : JSON.stringify(event)));
  session.end();
  return turns;
};

const usage = {
  ...{ total_tokens: 253, input_tokens: 132, output_tokens: 121 },
  input_token_details: {
    ...{ text_tokens: 119, audio_tokens: 13, cached_tokens: 64 },
    cached_tokens_details: { text_tokens: 60, audio_tokens: 4 },
  },
  output_token_details: { text_tokens: 30, audio_tokens: 91 },
};
const counts = { input: 132, output: 121, inputAudio: 13, cacheRead: 64, cacheReadAudio: 4, outputAudio: 91 };
const unknown = { input: 0, output: 0, missing: ['input', 'output'] };
const created = { type: 'response.created', response: { id: 'r' } };
const done = { type: 'response.done', response: { id: 'r', status: 'completed', usage } };
const transcribed = 'conversation.item.input_audio_transcription.completed';

describe('the usage that events report', () => {
  it('is that of each response, by the model of the session', () => {
    const session = { type: 'session.created', session: { model: 'gpt-realtime-2025-08-28' } };
    expect(turnsOf([session, created, done, created, done])).toMatchObject([
      { usage: counts, isWhole: true, model: 'gpt-realtime-2025-08-28' },
      { usage: counts, isWhole: true, model: 'gpt-realtime-2025-08-28' },
    ]);
  });

  it.each([
    ['the current form', { audio: { input: { transcription: { model: 'whisper-1' } } } }],
    ['the earlier form', { input_audio_transcription: { model: 'whisper-1' } }],
    [
      'the earlier form of sessions that only transcribe',
      { input_audio_transcription: { model: 'whisper-1' } },
      'transcription_session.updated',
    ],
  ])('is that of transcriptions too, by the model that transcribes: %s', (_, session, type = 'session.updated') => {
    const events = [
      { type, session: { model: 'm', ...session } },
      { type: transcribed, usage: { type: 'tokens', total_tokens: 5, input_tokens: 3, output_tokens: 2 } },
      { type: transcribed, usage: { type: 'duration', seconds: 7 } },
    ];
    expect(turnsOf(events)).toMatchObject([
      { usage: { input: 3, output: 2 }, model: 'whisper-1' },
      { usage: { audioSeconds: 7 }, model: 'whisper-1' },
    ]);
  });

  it('is unknown if a response has none, or has not ended', () => {
    const without = { type: 'response.done', response: { id: 'r', status: 'failed', usage: null } };
    expect(turnsOf([created, without, created])).toMatchObject([
      { usage: unknown, isWhole: true },
      { usage: unknown, isWhole: false },
    ]);
  });

  it('is found whatever ids contain', () => {
    const event = { type: transcribed, item_id: 'x.delta', usage: { type: 'duration', seconds: 1 } };
    expect(turnsOf([event])).toMatchObject([{ usage: { audioSeconds: 1 } }]);
  });

  it.each([
    ['a part of a response', { type: 'response.output_text.delta', delta: '"response.done"', response: { usage } }],
    ['another event', { type: 'rate_limits.updated', note: 'response.done', response: { usage } }],
    ['no JSON', '{"type":"response.done","response":'],
    ['a list', '["response.done"]'],
    ['a response of another type', { type: 'response.created.done', response: 'response.done' }],
  ])('is not found in %s', (_, event) => {
    expect(turnsOf([event])).toEqual([]);
  });

  it.each(['text', 7, null, [usage]])('is unknown if a response is %j', (response) => {
    expect(turnsOf([{ type: 'response.done', response }])).toMatchObject([{ usage: unknown }]);
  });
});
