import { isDeepStrictEqual } from 'node:util';
import type { Answer, AnswerEvent } from '../../../schema/conversation/answer.ts';
import type { Conversation } from '../../../schema/conversation/conversation.ts';
import { errorReport } from '../../../schema/errors/errors.ts';
import { fromJson } from '../../../schema/json/from-json.ts';
import type { ConversationCodec, Dialect } from '../../sdk/dialect/dialect.ts';
import { isWholeFrame } from '../../sdk/dialect/is-whole-frame.ts';
import { attempt } from '../errors/attempt.ts';
import { lossErrors } from '../errors/loss-errors.ts';
import { sampleAnswers, wordEvents } from '../samples/sample-answers.ts';
import { plainConversation, sampleConversations } from '../samples/sample-conversations.ts';
import { boundErrors } from './bound-errors.ts';
import { here, isDeclared, options, overTheWire, readRequest, target } from './codec-kit.ts';

const asJson = (value: unknown): unknown => fromJson(JSON.stringify(value));

const requestErrors = (codec: ConversationCodec, name: string, conversation: Conversation): readonly string[] =>
  attempt(`a request with ${name}`, () => {
    const { body, lost } = codec.encodeRequest(conversation, target);
    const hidden = lost.filter((each) => !isDeclared(each, codec));
    const read = readRequest(codec, overTheWire(body), conversation);
    return [
      ...hidden.map((each) => `a request with ${name} loses ${each}, which its losses do not declare`),
      ...(lost.length > 0 || isDeepStrictEqual(asJson(read), asJson(conversation))
        ? []
        : [`a request with ${name} is read back as ${JSON.stringify(read)}`]),
    ];
  });

/** Returns the content of an answer, without the ids, times and counts that formats may add. */
const said = ({ model, choices, usage }: Answer): unknown =>
  asJson({
    model,
    choices: choices.map(({ index, parts, finish }) => ({ index, parts, finish: finish.reason })),
    usage: usage && { input: usage.input, output: usage.output },
  });

const answerErrors = (codec: ConversationCodec, name: string, answer: Answer): readonly string[] =>
  attempt(name, () => {
    const read = codec.decodeAnswer(codec.encodeAnswer(answer, options), { ...here, model: answer.model });
    return isDeepStrictEqual(said(read), said(answer)) ? [] : [`${name} is read back as ${JSON.stringify(said(read))}`];
  });

const toText = (events: readonly AnswerEvent[]): string =>
  events.map((event) => (event.kind === 'text' ? event.text : '')).join('');

const streamErrors = (dialect: Dialect, codec: ConversationCodec): readonly string[] =>
  attempt('a stream', () => {
    const words = ['Hello,', ' wörld', ' 👋'];
    const encoder = codec.streamEncoder(options);
    const frames = [...wordEvents(words).flatMap((event) => encoder.push(event)), ...encoder.end()];
    const classes = frames.map((frame) => dialect.classify(frame));
    const decoder = codec.streamDecoder(here);
    const events = [...frames.flatMap((frame) => decoder.push(frame)), ...decoder.end()];
    return [
      ...(toText(events) === words.join('') ? [] : [`a stream is read back as ${JSON.stringify(toText(events))}`]),
      ...(events.at(-1)?.kind === 'end' ? [] : ['a complete stream is not read as complete']),
      ...(classes.includes('content') ? [] : ['classify finds no content in a stream']),
      ...(classes.includes('end') ? [] : ['classify finds no end of a stream']),
      ...(classes.includes('error') ? ['classify finds an error in a stream that has none'] : []),
      ...(frames.every((frame, at) => classes[at] !== 'end' || isWholeFrame(frame, dialect))
        ? []
        : ['endFrames lacks a frame that classify calls an end']),
      ...(classes.indexOf('end') < classes.lastIndexOf('content') ? ['classify finds content after the end'] : []),
    ];
  });

const brokenStreamErrors = (dialect: Dialect, codec: ConversationCodec): readonly string[] =>
  attempt('a broken stream', () => {
    const encoder = codec.streamEncoder(options);
    const begun = wordEvents(['Hello']).slice(0, 2);
    const frames = [...begun.flatMap((event) => encoder.push(event)), ...encoder.fail(errorReport('stream-cut', {}))];
    const classes = frames.map((frame) => dialect.classify(frame));
    const decoder = codec.streamDecoder(here);
    const cut = [...frames.slice(0, -1).flatMap((frame) => decoder.push(frame)), ...decoder.end()];
    return [
      ...(classes.at(-1) === 'error' ? [] : ['a broken stream must end with an error event']),
      ...(classes.includes('end') ? ['a broken stream must not look complete'] : []),
      ...(cut.at(-1)?.kind === 'error' ? [] : ['a stream that was cut off must not be read as complete']),
    ];
  });

/** A member that only this format has must be reported if it is lost, and returned if it is not. */
const memberErrors = ({ id }: Dialect, codec: ConversationCodec): readonly string[] =>
  attempt('a request with a member that is not known', () => {
    const written = { ...overTheWire(codec.encodeRequest(plainConversation, target).body), 'x-of-the-kit': [1] };
    const read = readRequest(codec, written, plainConversation);
    if (!isDeepStrictEqual(read.extensions[id]?.['x-of-the-kit'], [1]))
      return [`a member that decodeRequest does not know must be in extensions.${id}, so that its loss is reported`];
    return isDeepStrictEqual(codec.encodeRequest(read, target).body['x-of-the-kit'], [1])
      ? []
      : [`encodeRequest must write what extensions.${id} has`];
  });

/** Returns the errors of a dialect with conversations: it must decode what it encodes, except for its declared losses. */
export const codecErrors = (dialect: Dialect, codec: ConversationCodec): readonly string[] => [
  ...Object.entries(sampleConversations).flatMap(([name, each]) => requestErrors(codec, name, each)),
  ...Object.entries(sampleAnswers).flatMap(([name, each]) => answerErrors(codec, name, each)),
  ...memberErrors(dialect, codec),
  ...boundErrors(codec),
  ...lossErrors(codec.losses),
  ...streamErrors(dialect, codec),
  ...brokenStreamErrors(dialect, codec),
];
