import { estimatedInput } from '../../../runtime/usage/estimated-input.ts';
import type { Answer } from '../../../schema/conversation/answer.ts';
import type { Part, Turn } from '../../../schema/conversation/conversation.ts';
import { foldAnswer } from '../../../schema/conversation/fold-answer.ts';
import { parseObject } from '../../../schema/json/parse-json.ts';
import { here } from '../../plugins/dialects/support/codecs.ts';
import { toEvents } from '../../plugins/dialects/support/frames.ts';
import { framesOfRecording, type Recording, streamed, toCodec, whole } from '../../recordings/recorded.ts';

/** An estimate, by what the provider reported of the same. */
export interface RecordedRatio {
  readonly name: string;
  readonly dialect: string;
  readonly ratio: number;
}

/** Written by hand, with a number of tokens that its text does not have. */
const invented: readonly string[] = ['anthropic/duplicate-message-start.chunks.txt'];

/** Fewer tokens are no measure. */
const fewest = 10;

const toAnswer = (recording: Recording): Answer => {
  const codec = toCodec(recording);
  return whole.includes(recording)
    ? codec.decodeAnswer(parseObject(recording.text) ?? {}, here)
    : foldAnswer(toEvents(codec.streamDecoder(here), framesOfRecording(recording)));
};

/** What a model wrote itself, and nobody keeps to himself: the results of a provider's own tools are no output. */
const isWritten = ({ kind }: Part): boolean => ['text', 'refusal', 'tool-call', 'reasoning'].includes(kind);

/**
 * The estimate for an answer, if it came back as a turn, by the tokens that the provider charged for it. Reasoning is left out
 * where it is reported apart; undefined where it is not, or the answer has what the model did not write.
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

/** Those of all recordings that can be measured. Their requests were not recorded, so that answers stand for them. */
export const recordedRatios = (): readonly RecordedRatio[] =>
  [...whole, ...streamed].filter(({ name }) => !invented.includes(name)).flatMap((each) => findRatio(each) ?? []);
