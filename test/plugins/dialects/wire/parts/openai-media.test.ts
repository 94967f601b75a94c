import { describe, expect, it } from 'vitest';
import { chatCodec, geminiCodec, requestVia } from '../../support/codecs.ts';

describe('a sound from a client of Gemini, for a provider of chat completions', () => {
  it.each([
    ['audio/x-wav', 'wav'],
    ['audio/wave', 'wav'],
    ['audio/wav', 'wav'],
    ['audio/mpeg', 'mp3'],
    ['audio/mp3', 'mp3'],
    ['audio/flac', 'flac'],
  ])('that is called %s has the format %s', (mimeType, format) => {
    const contents = [{ role: 'user', parts: [{ inlineData: { mimeType, data: 'AAAA' } }] }];
    expect(requestVia(geminiCodec, chatCodec, { contents }).body.messages).toEqual([
      { role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'AAAA', format } }] },
    ]);
  });
});
