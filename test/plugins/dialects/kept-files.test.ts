import { describe, expect, it } from 'vitest';
import { builtinPlugins } from '../../../plugins/builtin.ts';
import { buildCatalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import type { Conversation, MediaPart } from '../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { geminiCodec, here } from './support/codecs.ts';

const { dialects } = buildCatalogue(builtinPlugins);
const target = { provider: 'p', strict: true, drop: new Set<string>(), scope: here.scope };

const conversationWith = (url: string, media: MediaPart['media']): Conversation => ({
  model: 'm',
  system: [],
  turns: [
    {
      role: 'user',
      parts: [
        { kind: 'text', text: 'See.' },
        { kind: 'media', media, source: { kind: 'url', url } },
      ],
    },
  ],
  tools: [],
  sampling: { maxTokens: 9 },
  stream: false,
  extensions: {},
});

const google = 'https://generativelanguage.googleapis.com/v1beta/files/abc-123';

describe.each([
  ['s3://bucket/file.png', ['converse']],
  ['gs://bucket/file.png', ['gemini']],
  [google, ['gemini']],
  ['https://example.com/file.png', ['chat', 'messages', 'responses', 'gemini', 'cohere']],
] as const)('a file at %s', (url, readers: readonly string[]) => {
  it.each([...dialects.values()].filter(({ conversation }) => conversation !== undefined))(
    'is sent in $id only if the service can load it, and is reported as lost otherwise',
    ({ id, conversation: codec }) => {
      const { body, lost } = codec?.encodeRequest(conversationWith(url, 'image'), target) ?? { body: {}, lost: [] };
      expect(JSON.stringify(body).includes(url)).toBe(readers.includes(id));
      expect(lost.includes('turns[0].parts[1].media')).toBe(!readers.includes(id));
    },
  );
});

it('keeps the media type of a file whose address does not indicate it', () => {
  const wire = (fileData: JsonObject): JsonObject => ({ contents: [{ role: 'user', parts: [{ fileData }] }] });
  const again = (fileData: JsonObject) =>
    geminiCodec.encodeRequest(geminiCodec.decodeRequest(wire(fileData), here), target).body;
  for (const mimeType of ['text/plain', 'application/pdf', 'image/png', 'video/mp4'])
    expect(again({ fileUri: google, mimeType })).toMatchObject(wire({ fileUri: google, mimeType }));
});
