import type { Answer, AnswerChoice } from '../../../schema/conversation/answer.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { findNumber, findObject, findText, toObjects } from '../../../schema/json/loose.ts';
import type { AnswerCodec, DecodeAnswer, EncodeAnswer } from '../../sdk/dialect/dialect.ts';
import { decodeFinish } from '../chat/answer/finish-reasons.ts';
import { decodeUsage, encodeUsage } from '../chat/answer/usage.ts';
import { throwIfBrokenOff } from '../chat/parts/broken-off.ts';
import { findCreated } from '../shared/answer/find-created.ts';
import { defined } from '../shared/json/defined.ts';
import { encodeTextFinish } from './encode-finish.ts';
import { CompletionsDecoder } from './stream-decoder.ts';
import { CompletionsEncoder } from './stream-encoder.ts';

const decodeChoice = (choice: JsonObject, position: number): AnswerChoice => ({
  index: findNumber(choice.index) ?? position,
  parts: [{ kind: 'text', text: findText(choice.text) ?? '' }],
  finish: decodeFinish(findText(choice.finish_reason)),
});

/** Throws the `GatewayError` `broken-answer`. */
const decodeAnswer = (wire: JsonObject, _options: DecodeAnswer): Answer => {
  throwIfBrokenOff(wire);
  return defined({
    id: findText(wire.id) ?? '',
    model: findText(wire.model) ?? '',
    created: findCreated(wire.created),
    choices: toObjects(wire.choices).map(decodeChoice),
    usage: decodeUsage(findObject(wire.usage)),
    extensions: {},
  });
};

const encodeChoice = ({ index, parts, finish }: AnswerChoice, strict: boolean): JsonObject => ({
  index,
  text: parts.map((part) => (part.kind === 'text' || part.kind === 'refusal' ? part.text : '')).join(''),
  logprobs: null,
  finish_reason: encodeTextFinish(finish, { strict }),
});

const encodeAnswer = (answer: Answer, { strict, id, created }: EncodeAnswer): JsonObject =>
  defined({
    id: answer.id === '' ? (id ?? 'gw-completion') : answer.id,
    object: 'text_completion',
    created: answer.created ?? created ?? 0,
    model: answer.model,
    choices: answer.choices.map((choice) => encodeChoice(choice, strict)),
    usage: answer.usage === undefined ? undefined : encodeUsage(answer.usage),
  });

/** https://platform.openai.com/docs/api-reference/completions/object: a text for each choice. */
export const answers: AnswerCodec = {
  decodeAnswer,
  encodeAnswer,
  streamDecoder: () => new CompletionsDecoder(),
  streamEncoder: (options) => new CompletionsEncoder(options),
};
