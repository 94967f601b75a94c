import type { Usage } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { EncodeAnswer, Frame, StreamEncoder } from '../../../sdk/dialect/dialect.ts';
import { jsonFrame } from '../../shared/answer/json-frame.ts';
import { OneAnswerEncoder, type StartEvent } from '../../shared/answer/one-answer-encoder.ts';
import { encodeStreamError, encodeStreamWireError } from '../parts/errors.ts';
import { endingName } from '../request/lost-endings.ts';
import { BlockEncoder, type OnEnding } from './block-encoder.ts';
import { encodeFinish } from './finish-reasons.ts';
import { encodeUsage } from './usage.ts';

const encodeCounts = (usage: Usage | undefined): JsonObject =>
  usage === undefined ? {} : { usage: encodeUsage(usage) };

const messageStart = ({ id, model, usage }: StartEvent, ownId = 'gw-message'): Frame => {
  const message = {
    id: id === '' ? ownId : id,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    ...encodeCounts(usage),
  };
  return jsonFrame({ type: 'message_start', message }, 'message_start');
};

/** https://docs.anthropic.com/en/docs/build-with-claude/streaming */
export const streamEncoder = ({ id, remember, request }: EncodeAnswer): StreamEncoder => {
  const ends: OnEnding = (text, signature) => remember?.([{ id: endingName(request?.() ?? {}, text), signature }]);
  const blocks = new BlockEncoder(remember === undefined || request === undefined ? undefined : ends);
  return new OneAnswerEncoder({
    start: (event) => [messageStart(event, id)],
    block: (event) => blocks.push(event),
    end({ finish, refused, usage }) {
      const delta = { ...encodeFinish(finish, refused) };
      const counts = encodeCounts(usage);
      return [
        ...blocks.end(),
        jsonFrame({ type: 'message_delta', delta, ...counts }, 'message_delta'),
        jsonFrame({ type: 'message_stop' }, 'message_stop'),
      ];
    },
    wireError: (error) => [encodeStreamWireError(error)],
    error: (report) => [encodeStreamError(report)],
  });
};
