import type { Usage } from '../../../schema/conversation/conversation.ts';
import { parseObject } from '../../../schema/json/parse-json.ts';
import type { ConversationCodec, Dialect, Frame } from '../../sdk/dialect/dialect.ts';
import { attempt } from '../errors/attempt.ts';
import { textAnswer, wordEvents } from '../samples/sample-answers.ts';
import { options, writtenAnswer } from './codec-kit.ts';

const differs = (found: Partial<Usage> | undefined, input: number, output: number): boolean =>
  found?.input !== input || found.output !== output;

type ReadUsage = NonNullable<Dialect['usage']>;

const writtenStream = (codec: ConversationCodec): readonly Frame[] => {
  const encoder = codec.streamEncoder(options);
  return [...wordEvents(['Hi', '!']).flatMap((event) => encoder.push(event)), ...encoder.end()];
};

const usageIn = ({ data }: Frame, usage: ReadUsage, before?: Usage): Usage | undefined => {
  const wire = parseObject(data);
  return wire === undefined ? undefined : usage(wire, before);
};

/** Returns the last counts of a stream. Some formats report them in two frames. */
const streamedUsage = (codec: ConversationCodec, usage: ReadUsage): Usage | undefined => {
  let known: Usage | undefined;
  for (const frame of writtenStream(codec)) {
    const found = usageIn(frame, usage, known);
    if (found !== undefined) known = { ...known, ...found };
  }
  return known;
};

/** Returns the errors in how streams report counts, and in how requests enable that. */
const streamUsageErrors = (
  { mark, request }: NonNullable<Dialect['streamUsage']>,
  codec: ConversationCodec,
  usage: ReadUsage,
): readonly string[] => {
  const unmarked = writtenStream(codec).filter(
    (frame) => usageIn(frame, usage) !== undefined && !frame.data.includes(mark),
  );
  const asking = request === undefined ? {} : { [request.param]: request.make({}) };
  return [
    ...unmarked.map(({ data }) => `streamUsage.mark does not occur in ${data}, which has counts`),
    ...(request === undefined || request.isMade(asking) ? [] : ['streamUsage.request does not find what it made']),
    ...(request?.isMade({}) === true ? ['streamUsage.request finds itself in {}'] : []),
  ];
};

/** Returns the errors in how token counts are read from what the dialect itself encodes. */
export const usageErrors = ({ usage, streamUsage, conversation: codec }: Dialect): readonly string[] => {
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
    ...attempt('streamUsage', () => (streamUsage === undefined ? [] : streamUsageErrors(streamUsage, codec, usage))),
  ];
};
