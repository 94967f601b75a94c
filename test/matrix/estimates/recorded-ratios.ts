import { estimatedInput } from '../../../runtime/usage/estimated-input.ts';
import type { Answer } from '../../../schema/conversation/answer.ts';
import type { Part, Turn } from '../../../schema/conversation/conversation.ts';
import { foldAnswer } from '../../../schema/conversation/fold-answer.ts';
import { parseObject } from '../../../schema/json/parse-json.ts';
import { here } from '../../plugins/dialects/support/codecs.ts';
import { toEvents } from '../../plugins/dialects/support/frames.ts';
import { framesOfRecording, type Recording, streamed, toCodec, whole } from '../../recordings/recorded.ts';

/** An estimate divided by the count that the provider reported. */
export interface RecordedRatio {
  readonly name: string;
  readonly dialect: string;
  readonly ratio: number;
}

/** Recordings that were written by hand and have a token count that does not fit their text. */
const invented: readonly string[] = ['anthropic/duplicate-message-start.chunks.txt'];

/** Smaller counts are not meaningful. */
const fewest = 10;

const toAnswer = (recording: Recording): Answer => {
  const codec = toCodec(recording);
  return whole.includes(recording)
    ? codec.decodeAnswer(parseObject(recording.text) ?? {}, here)
    : foldAnswer(toEvents(codec.streamDecoder(here), framesOfRecording(recording)));
};

/** Whether the model wrote the part itself and it is visible. The results of a provider's own tools are not output. */
const isWritten = ({ kind }: Part): boolean => ['text', 'refusal', 'tool-call', 'reasoning'].includes(kind);

/**
 * Returns the ratio of the estimate for an answer, as if it came back as a turn, to the tokens that the provider charged for
 * it. Reasoning is left out if it is reported separately. Returns undefined if it is not, or if the answer contains parts that
 * the model did not write.
 */
const findRatio = (recording: Recording): RecordedRatio | undefined => {
  const { choices, usage } = toAnswer(recording);
  const parts = choices.flatMap((choice) => choice.parts);
  if (usage === undefined || usage.missing !== undefined || !parts.every(isWritten)) return undefined;
  const isApart = (usage.reasoning ?? 0) > 0;
  if (!isApart && parts.some(({ kind }) => kind === 'reasoning')) return undefined;
  const said = parts.filter(({ kind }) => kind !== 'reasoning');
  const reported = usage.output - (usage.reasoning ?? 0);
  if (said.length === 0 || reported < fewest) return undefined;
  const turn: Turn = { role: 'assistant', parts: said };
  const estimate = estimatedInput({
    ...{ system: [], turns: [turn], tools: [], sampling: {}, stream: false, extensions: {} },
  });
  return { name: recording.name, dialect: recording.dialect.id, ratio: estimate / reported };
};

/** The ratios of all recordings that can be measured. Their requests were not recorded, so answers are measured instead. */
export const recordedRatios = (): readonly RecordedRatio[] =>
  [...whole, ...streamed].filter(({ name }) => !invented.includes(name)).flatMap((each) => findRatio(each) ?? []);
