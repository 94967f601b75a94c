import type { Conversation, MediaPart, Part, Tool, Turn } from '../../schema/conversation/conversation.ts';
import { estimatedTokens, requestBytes } from './request-bytes.ts';

/**
 * Tokens of one medium, by kind. Providers count them by pixels, pages and seconds, which are not known without decoding. These
 * are the providers' values for an image of about one megapixel, a page, a minute of audio, and ten seconds of video:
 * https://docs.anthropic.com/en/docs/build-with-claude/vision, https://ai.google.dev/gemini-api/docs/tokens
 */
const mediaTokens: Readonly<Record<MediaPart['media'], number>> = {
  image: 1_000,
  document: 1_500,
  audio: 1_920,
  video: 2_630,
};

/** Tokens in addition to the texts, which providers write around a turn, a call and a tool: the average of recorded traffic. */
const around = { turn: 4, call: 12, tool: 8 } as const;

/** The bytes of texts, and the tokens in addition to them. */
interface Extent {
  readonly bytes: number;
  readonly tokens: number;
}

const nothing: Extent = { bytes: 0, tokens: 0 };

const sum = (extents: readonly Extent[]): Extent =>
  extents.reduce(
    (total, { bytes, tokens }) => ({ bytes: total.bytes + bytes, tokens: total.tokens + tokens }),
    nothing,
  );

const text = (...texts: readonly (string | undefined)[]): Extent => ({
  bytes: texts.reduce((bytes, each) => bytes + (each === undefined ? 0 : Buffer.byteLength(each)), 0),
  tokens: 0,
});

const beside = (tokens: number): Extent => ({ bytes: 0, tokens });

const json = (value: object | undefined): Extent => text(value === undefined ? undefined : JSON.stringify(value));

/** Whether a document is plain text, which every model reads. */
export const isPlainText = ({ source }: MediaPart): boolean =>
  source.kind === 'base64' && source.mimeType.startsWith('text/');

/** A plain-text document is as long as its text. */
const medium = (each: MediaPart): Extent =>
  each.source.kind === 'base64' && isPlainText(each)
    ? { bytes: Math.floor((each.source.data.length * 3) / 4), tokens: 0 }
    : beside(mediaTokens[each.media]);

/** Reasoning that only its creator can read is not counted, because providers omit that of earlier turns. */
const part = (each: Part): Extent => {
  switch (each.kind) {
    case 'text':
    case 'refusal':
      return text(each.text);
    case 'reasoning':
      return text(each.text, ...(each.summary ?? []));
    case 'media':
      return medium(each);
    case 'json':
      return text(JSON.stringify(each.value));
    case 'tool-call':
    case 'server-tool-call':
      return sum([text(each.name, each.arguments), beside(around.call)]);
    case 'tool-result':
      return sum([text(each.name), ...each.parts.map(part)]);
    case 'server-tool-result':
      return text(each.text);
    case 'other':
      return { bytes: requestBytes(each.value), tokens: 0 };
  }
};

const turn = ({ name, parts }: Turn): Extent => sum([text(name), beside(around.turn), ...parts.map(part)]);

const tool = (each: Tool): Extent => {
  switch (each.kind) {
    case 'function':
      return sum([text(each.name, each.description), json(each.parameters), beside(around.tool)]);
    case 'custom':
      return sum([text(each.name, each.description), json(each.format), beside(around.tool)]);
    case 'other':
      return json(each.value);
  }
};

/**
 * Estimates the tokens of a conversation: its texts, calls, results, tools and the schema of its answer by their bytes, with the
 * tokens around each, and each image, document, audio and video by its kind.
 */
export const estimatedInput = ({ system, turns, tools, answerFormat }: Conversation): number => {
  const { bytes, tokens } = sum([
    ...system.map(part),
    ...turns.map(turn),
    ...tools.map(tool),
    answerFormat?.kind === 'schema' ? json(answerFormat.schema) : nothing,
  ]);
  return estimatedTokens(bytes) + tokens;
};
