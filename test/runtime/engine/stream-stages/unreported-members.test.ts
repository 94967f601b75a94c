import { describe, expect, it } from 'vitest';
import { completions } from '../../../../plugins/dialects/completions/completions.ts';
import { responses } from '../../../../plugins/dialects/responses/responses.ts';
import type { Frame } from '../../../../plugins/sdk/dialect/dialect.ts';
import { isJsonObject } from '../../../../schema/json/json.ts';
import { parseJson } from '../../../../schema/json/parse-json.ts';
import { harmless, modes, run, streaming, word } from './judged-modes.ts';
import { toBytes, toFrames } from './kit.ts';

/** Returns the frame with an additional member, if it is an object. */
const withMember = (frame: Frame, member: object): Frame => {
  const data = parseJson(frame.data);
  return isJsonObject(data) ? { ...frame, data: JSON.stringify({ ...data, ...member }) } : frame;
};

describe.each(streaming)('a stream of $id', ({ dialect }) => {
  const frames = toFrames(dialect, harmless);
  /** The frames that can have another member. */
  const places = [...frames.keys()].filter((at) => isJsonObject(parseJson(frames[at]?.data ?? '')));

  it.each(modes)('is denied for words in an unknown member, judged $mode', async ({ guardrail }) => {
    for (const at of places) {
      const changed = frames.map((frame, index) =>
        index === at ? withMember(frame, { invented_member: { says: `the ${word}` } }) : frame,
      );
      const { bytes } = await run(dialect, changed, guardrail);
      expect(bytes.toString(), JSON.stringify(changed[at])).not.toContain(word);
    }
  });

  it.each(modes)('is denied for a word that is divided between frames, judged $mode', async ({ guardrail }) => {
    const pieces = ['plu', 'toni', 'um'];
    const [first = 0, second = 0, third = second] = places;
    const changed = frames.map((frame, index) => {
      const piece = [first, second, third].indexOf(index);
      return piece === -1 ? frame : withMember(frame, { invented_member: pieces[piece] ?? '' });
    });
    if (third === second) return;
    const { trail } = await run(dialect, changed, guardrail);
    expect(JSON.stringify(trail)).toContain('"denied"');
  });

  it.each(modes)('is passed on as received if an unknown member is permitted, judged $mode', async ({ guardrail }) => {
    const changed = frames.map((frame) => withMember(frame, { invented_member: 'as ever', invented_number: 5 }));
    const { status, bytes } = await run(dialect, changed, guardrail);
    expect(status).toBe(200);
    expect(bytes.equals(Buffer.concat(changed.map((frame) => toBytes(dialect, [frame]))))).toBe(true);
  });
});

describe('the transcript of a spoken answer', () => {
  const frame = (type: string, more: object): Frame => ({ event: type, data: JSON.stringify({ type, ...more }) });
  const spoken = (...pieces: readonly string[]): readonly Frame[] => [
    frame('response.created', { response: { id: 'r', object: 'response', model: 'm', output: [] } }),
    ...pieces.map((delta) => frame('response.audio.transcript.delta', { delta })),
    frame('response.audio.transcript.done', {}),
    frame('response.completed', { response: { id: 'r', object: 'response', model: 'm', output: [] } }),
  ];

  it.each(modes)('is denied in a stream of responses, in any number of pieces, judged $mode', async ({ guardrail }) => {
    for (const pieces of [['the plutonium word'], ['the pluto', 'nium word']]) {
      const { bytes, trail } = await run(responses, spoken(...pieces), guardrail);
      expect(JSON.stringify(trail)).toContain('"denied"');
      expect(bytes.toString()).not.toContain('pluto');
    }
    const frames = spoken('It is ', 'water.');
    const { bytes } = await run(responses, frames, guardrail);
    expect(bytes.equals(Buffer.concat(frames.map((each) => toBytes(responses, [each]))))).toBe(true);
  });
});

describe('the reasoning of a text completion', () => {
  const chunk = (choice: object): Frame => ({ data: JSON.stringify({ id: 'c', choices: [{ index: 0, ...choice }] }) });
  const frames = (...pieces: readonly string[]): readonly Frame[] => [
    ...pieces.map((reasoning) => chunk({ text: '', reasoning })),
    chunk({ text: 'It is water.', finish_reason: 'stop' }),
    { data: '[DONE]' },
  ];

  it.each(modes)('is denied in a stream, judged $mode', async ({ guardrail }) => {
    for (const pieces of [['the plutonium word'], ['the pluto', 'nium word']]) {
      const { trail } = await run(completions, frames(...pieces), guardrail);
      expect(JSON.stringify(trail)).toContain('"denied"');
    }
  });
});
