import type { Usage } from '../../schema/conversation.ts';
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts';
import type { ConversationCodec, Dialect } from '../sdk/dialect.ts';
import { attempt } from './attempt.ts';
import { options, writtenAnswer } from './codec-kit.ts';
import { textAnswer, wordEvents } from './sample-answers.ts';

const objectIn = (text: string): JsonObject | undefined => {
  try {
    const value: Json = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const differs = (found: Partial<Usage> | undefined, input: number, output: number): boolean =>
  found?.input !== input || found.output !== output;

/** The last counts of a stream; some formats tell them in two frames. */
const streamedUsage = (codec: ConversationCodec, usage: NonNullable<Dialect['usage']>): Partial<Usage> => {
  const encoder = codec.streamEncoder(options);
  const frames = [...wordEvents(['Hi', '!']).flatMap((event) => encoder.push(event)), ...encoder.end()];
  const found = frames.map(({ data }) => objectIn(data)).map((wire) => (wire === undefined ? undefined : usage(wire)));
  return Object.assign({}, ...found);
};

/** The faults of how token counts are read: of what the dialect itself writes. */
export const usageFaults = ({ usage, conversation: codec }: Dialect): readonly string[] => {
  if (usage === undefined) return [];
  const nothing = attempt('usage of {}', () => (usage({}) === undefined ? [] : ['usage must be undefined for {}']));
  if (codec === undefined) return nothing;
  return [
    ...nothing,
    ...attempt('usage of an answer', () =>
      differs(usage(writtenAnswer(codec, textAnswer('Hi.'))), 3, 2)
        ? ['usage does not read what encodeAnswer writes']
        : [],
    ),
    ...attempt('usage of a stream', () =>
      differs(streamedUsage(codec, usage), 3, 2) ? ['usage does not read what streamEncoder writes'] : [],
    ),
  ];
};
