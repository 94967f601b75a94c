import { describe, expect, it } from 'vitest';
import { chatCodec, geminiCodec, messagesCodec, requestVia } from '../../support/codecs.ts';

describe('audio from a Gemini client for a chat completions provider', () => {
  it.each([
    ['audio/x-wav', 'wav'],
    ['audio/wave', 'wav'],
    ['audio/wav', 'wav'],
    ['audio/mpeg', 'mp3'],
    ['audio/mp3', 'mp3'],
    ['audio/flac', 'flac'],
  ])('with the type %s has the format %s', (mimeType, format) => {
    const contents = [{ role: 'user', parts: [{ inlineData: { mimeType, data: 'AAAA' } }] }];
    expect(requestVia(geminiCodec, chatCodec, { contents }).body.messages).toEqual([
      { role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'AAAA', format } }] },
    ]);
  });
});

describe('an image from a chat client for Gemini', () => {
  const ofJpeg = (data: string): object => ({ inlineData: { mimeType: 'image/jpeg', data } });
  const long = 'aGVsbG8/+_-x'.repeat(20);

  it.each([
    ['AAAA', ofJpeg('AAAA')],
    ['AAA=', ofJpeg('AAA=')],
    [long, ofJpeg(long)],
    ['data:image/png;base64,AAAA', { inlineData: { mimeType: 'image/png', data: 'AAAA' } }],
    ['https://a.example/b.png', { fileData: { mimeType: 'image/png', fileUri: 'https://a.example/b.png' } }],
    ['gs://bucket/b', { fileData: { mimeType: 'image/jpeg', fileUri: 'gs://bucket/b' } }],
    ['images/b.png', { fileData: { mimeType: 'image/png', fileUri: 'images/b.png' } }],
  ])('is inline if its address contains base64 data, and a file otherwise: %s', (url, part) => {
    const messages = [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }];
    expect(requestVia(chatCodec, geminiCodec, { model: 'm', messages }).body.contents).toEqual([
      { role: 'user', parts: [part] },
    ]);
  });
});

describe('the data of a file from a chat client', () => {
  const written = (data: string): ReturnType<typeof requestVia> => {
    const content = [{ type: 'file', file: { file_data: data } }];
    return requestVia(chatCodec, messagesCodec, { model: 'claude-a', messages: [{ role: 'user', content }] });
  };
  const inline = { type: 'base64', media_type: 'application/pdf', data: 'AAAA' };

  it.each([
    ['https://a.example/b.pdf', { type: 'url', url: 'https://a.example/b.pdf' }],
    ['HTTP://a.example/b', { type: 'url', url: 'HTTP://a.example/b' }],
    ['AAAA', inline],
    ['data:application/pdf;base64,AAAA', inline],
  ])('may be an address, base64 or both: %s', (data, source) => {
    expect(written(data).body.messages).toMatchObject([{ content: [{ type: 'document', source }] }]);
  });
});
