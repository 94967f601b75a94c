import { describe, expect, it } from 'vitest';
import { neverInWindows } from '../stream-stages/kit.ts';
import { type dialects, readStream, word } from './judge.ts';
import { silent, streams } from './stream-samples.ts';

type Id = keyof typeof dialects;

describe.each(Object.entries(streams))('a stream of %s that contains a denied word', (id, cases) => {
  it.each(Object.entries(cases))('is denied if the word is %s', async (_where, frames) => {
    const { bytes, trail } = await readStream(id as Id, frames, neverInWindows(word));
    expect(bytes.toString('latin1')).not.toContain(word);
    expect(trail.findLast(({ kind }) => kind === 'checked')).toMatchObject({ result: 'denied' });
  });
});

describe('a stream without the word', () => {
  it.each(silent)('of %s is passed on as it arrived', async (id, frames) => {
    const { frames: given, trail } = await readStream(id, frames, neverInWindows(word));
    expect(given).toEqual(frames);
    expect(trail.findLast(({ kind }) => kind === 'checked')).toMatchObject({ result: 'passed' });
  });
});
