import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { chat } from '../../plugins/dialects/chat/chat.ts';
import { cohere } from '../../plugins/dialects/cohere/cohere.ts';
import { converse } from '../../plugins/dialects/converse/converse.ts';
import { gemini } from '../../plugins/dialects/gemini/gemini.ts';
import { messages } from '../../plugins/dialects/messages/messages.ts';
import { responses } from '../../plugins/dialects/responses/responses.ts';
import type { ConversationCodec, Dialect, Frame } from '../../plugins/sdk/dialect/dialect.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import {
  chatCodec,
  cohereCodec,
  converseCodec,
  geminiCodec,
  messagesCodec,
  responsesCodec,
} from '../plugins/dialects/support/codecs.ts';
import { toFrames } from '../plugins/dialects/support/frames.ts';

/** Recorded traffic next to the repository. Its files are not part of the repository. */
const recordings = new URL('../../../shared/fixtures/', import.meta.url);
export const isThere: boolean = existsSync(recordings);

const speakers: readonly (readonly [Dialect, readonly string[]])[] = [
  [chat, ['deepseek', 'groq', 'mistral', 'openai-compatible']],
  [messages, ['anthropic']],
  [responses, ['openai', 'azure']],
  [cohere, ['cohere']],
  [converse, ['amazon-bedrock']],
  [gemini, ['google']],
];

/** The dialects of the recordings. */
export const dialects: readonly Dialect[] = speakers.map(([dialect]) => dialect);

export interface Recording {
  readonly name: string;
  readonly dialect: Dialect;
  readonly text: string;
}

const toFiles = (dialect: Dialect, folder: string): readonly Recording[] =>
  readdirSync(new URL(folder, recordings))
    .filter((file) => !file.includes('transcription'))
    .map((file) => ({
      name: `${folder}/${file}`,
      dialect,
      text: readFileSync(new URL(`${folder}/${file}`, recordings), 'utf8'),
    }));

const all = isThere
  ? speakers.flatMap(([dialect, folders]) => folders.flatMap((folder) => toFiles(dialect, folder)))
  : [];
const isError = ({ name }: Recording): boolean => name.includes('error');
export const streamed: readonly Recording[] = all.filter(
  (recording) => !recording.name.endsWith('.json') && !isError(recording),
);
export const whole: readonly Recording[] = all.filter(
  (recording) => recording.name.endsWith('.json') && !isError(recording),
);
export const errors: readonly Recording[] = all.filter(isError);

/** Converts a line to a frame. A line is an event with a type, or an object whose only member has the event's name. */
const toFrame = (line: string, { dialect }: Recording): Frame => {
  const event = JSON.parse(line) as JsonObject;
  const [[name = '', payload = null] = []] = Object.entries(event);
  if (dialect.id === 'converse') return { event: name, data: JSON.stringify(payload) };
  return typeof event.type === 'string' ? { event: event.type, data: line } : { data: line };
};

export const framesOfRecording = (recording: Recording): readonly Frame[] =>
  recording.name.endsWith('.sse')
    ? toFrames(recording.text)
    : recording.text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => toFrame(line, recording));

export const codecs: readonly (readonly [string, ConversationCodec])[] = [
  ['chat', chatCodec],
  ['messages', messagesCodec],
  ['responses', responsesCodec],
  ['cohere', cohereCodec],
  ['converse', converseCodec],
  ['gemini', geminiCodec],
];

export const toCodec = ({ dialect }: Recording): ConversationCodec =>
  codecs.find(([id]) => id === dialect.id)?.[1] ?? expect.unreachable();
