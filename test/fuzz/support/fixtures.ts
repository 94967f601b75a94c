import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Dialect, Frame } from '../../../plugins/sdk/dialect/dialect.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { parseObject } from '../../../schema/json/parse-json.ts';
import { toFrames } from '../../plugins/dialects/support/frames.ts';
import { bodies } from './bodies.ts';

export interface FixtureTexts {
  readonly requests: readonly JsonObject[];
  readonly answers: readonly JsonObject[];
  readonly errors: readonly JsonObject[];
  readonly streams: readonly (readonly Frame[])[];
}

const handWritten = new URL('../../fixtures/dialects/', import.meta.url);
/** Recorded traffic next to the repository, which is not part of it. */
const recordings = new URL('../../../../shared/fixtures/', import.meta.url);

/** The providers whose recordings are in each dialect. */
const speakers: Readonly<Record<string, readonly string[]>> = {
  chat: ['deepseek', 'groq', 'mistral', 'openai-compatible'],
  messages: ['anthropic'],
  responses: ['openai', 'azure'],
  cohere: ['cohere'],
  converse: ['amazon-bedrock'],
  gemini: ['google'],
};

/** Longer recordings are images or more pieces of the same text, which take time and test nothing new. */
const longest = 16_000;

interface File {
  readonly name: string;
  readonly text: string;
}

const filesIn = (folder: URL, isWanted: (name: string) => boolean): readonly File[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter(isWanted)
        .map((name) => ({ name, text: readFileSync(new URL(name, folder), 'utf8') }))
        .filter(({ text }) => text.length <= longest)
    : [];

/** Parses a line of a recording: an event with its type, a single member named after the event, or the name and the payload. */
const lineFrame = (line: string, isConverse: boolean): Frame => {
  const event = parseObject(line);
  if (event === undefined) {
    const at = line.indexOf(' ');
    const frame = { event: line.slice(0, at), data: line.slice(at + 1) };
    return frame.event.endsWith('Exception') ? { ...frame, headers: { ':message-type': 'exception' } } : frame;
  }
  const [[name = '', payload = null] = []] = Object.entries(event);
  if (isConverse) return { event: name, data: JSON.stringify(payload) };
  return typeof event.type === 'string' ? { event: event.type, data: line } : { data: line };
};

const toStream = ({ name, text }: File, { id }: Dialect): readonly Frame[] =>
  name.endsWith('.sse')
    ? toFrames(text)
    : text
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => lineFrame(line, id === 'converse'));

/** Returns the hand-written and recorded texts in a dialect. */
export const toFixtures = (dialect: Dialect): FixtureTexts => {
  const files = [
    ...filesIn(handWritten, (name) => name.startsWith(`${dialect.id}-`)),
    ...(speakers[dialect.id] ?? []).flatMap((folder) =>
      filesIn(new URL(`${folder}/`, recordings), (name) => !name.includes('transcription')),
    ),
  ];
  const whole = files.filter(({ name }) => name.endsWith('.json'));
  const isError = ({ name }: File): boolean => name.includes('error');
  const parsed = (list: readonly File[]): readonly JsonObject[] => list.map(({ text }) => parseObject(text) ?? {});
  const { requests = [], answers = [], streams = [] } = bodies[dialect.id] ?? {};
  return {
    requests,
    answers: [...answers, ...parsed(whole.filter((file) => !isError(file)))],
    errors: parsed(whole.filter(isError)),
    streams: [
      ...streams.map((stream) => stream.map((data) => ({ data }))),
      ...files.filter((file) => !whole.includes(file)).map((file) => toStream(file, dialect)),
    ],
  };
};
