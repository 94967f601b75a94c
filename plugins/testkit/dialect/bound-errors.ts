import type { AnswerEvent } from '../../../schema/conversation/answer.ts';
import type { BoundValue, Conversation, ReasoningPart } from '../../../schema/conversation/conversation.ts';
import type { ConversationCodec } from '../../sdk/dialect/dialect.ts';
import { attempt } from '../errors/attempt.ts';
import { textAnswer, wordEvents } from '../samples/sample-answers.ts';
import { plainConversation } from '../samples/sample-conversations.ts';
import { options, target, writtenAnswer, writtenRequest } from './codec-kit.ts';

const value = 'Ym91bmQtb2YtdGhlLWtpdA==';
const kinds: readonly BoundValue['kind'][] = ['signature', 'encrypted', 'thought'];

const reasoning = (kind: BoundValue['kind'], scope: string): ReasoningPart => ({
  kind: 'reasoning',
  text: 'Hm.',
  bound: { scope, kind, value },
});

const asking = (part: ReasoningPart): Conversation => ({
  ...plainConversation,
  turns: [
    ...plainConversation.turns,
    { role: 'assistant', parts: [part, { kind: 'text', text: 'Hello.' }] },
    { role: 'user', parts: [{ kind: 'text', text: 'And now?' }] },
  ],
});

const requestErrors = (codec: ConversationCodec, kind: BoundValue['kind']): readonly string[] => {
  const own = asking(reasoning(kind, target.scope));
  const isLost = codec.encodeRequest(own, target).lost.some((each) => each.startsWith('turns'));
  const isKept = JSON.stringify(writtenRequest(codec, own)).includes(value);
  const other = asking(reasoning(kind, 'elsewhere'));
  const { body, lost } = codec.encodeRequest(other, target);
  return [
    ...(isKept || isLost ? [] : [`a bound value (${kind}) of the target itself is dropped, and not reported`]),
    ...(JSON.stringify(body).includes(value) ? [`a bound value (${kind}) of another scope is sent`] : []),
    ...(lost.some((each) => each.startsWith('turns[1]'))
      ? []
      : [`a bound value (${kind}) of another scope is dropped, and not reported`]),
  ];
};

/** A format may write more between the scope and the value, such as the kind of value. */
const tagged = /gw1\.elsewhere\.[^"]*Ym91bmQtb2YtdGhlLWtpdA==/;

const shownErrors = (shown: string, where: string, kind: BoundValue['kind']): readonly string[] =>
  shown.includes(value) && !tagged.test(shown)
    ? [`${where} shows a bound value (${kind}) without its scope: write it with tagBound`]
    : [];

const answerErrors = (codec: ConversationCodec, kind: BoundValue['kind']): readonly string[] => {
  const part = reasoning(kind, 'elsewhere');
  const bound: BoundValue = { scope: 'elsewhere', kind, value };
  const answer = textAnswer('Hello.');
  const choices = answer.choices.map((choice) => ({ ...choice, parts: [part, ...choice.parts] }));
  const encoder = codec.streamEncoder(options);
  const [start, ...rest] = wordEvents(['Hello.']);
  const events: readonly AnswerEvent[] = [
    ...(start === undefined ? [] : [start]),
    { kind: 'reasoning', choice: 0, block: 0, text: 'Hm.', bound },
    ...rest.map((event) => (event.kind === 'text' ? { ...event, block: 1 } : event)),
  ];
  const frames = [...events.flatMap((event) => encoder.push(event)), ...encoder.end()];
  return [
    ...shownErrors(JSON.stringify(writtenAnswer(codec, { ...answer, choices })), 'encodeAnswer', kind),
    ...shownErrors(frames.map(({ data }) => data).join('\n'), 'streamEncoder', kind),
  ];
};

/**
 * Returns the errors in handling bound values: they must be returned to their maker and nobody else, and clients must see the
 * scope.
 */
export const boundErrors = (codec: ConversationCodec): readonly string[] =>
  kinds.flatMap((kind) => [
    ...attempt(`a request with a bound value (${kind})`, () => requestErrors(codec, kind)),
    ...attempt(`an answer with a bound value (${kind})`, () => answerErrors(codec, kind)),
  ]);
