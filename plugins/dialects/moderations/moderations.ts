import type { Usage } from '../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { findObject } from '../../../schema/json/loose.ts';
import type { CheckPhase } from '../../../schema/trail/trail.ts';
import type { Dialect } from '../../sdk/dialect/dialect.ts';
import type { TextReading, TextSpan } from '../../sdk/dialect/text-span.ts';
import { decodeUsage } from '../chat/answer/usage.ts';
import { decodeStreamError, encodeStreamError, encodeWireError } from '../chat/errors/errors.ts';
import { findModel } from '../wire/answer/find-model.ts';
import { bodyTexts } from '../wire/checked-texts/request-texts.ts';
import { readHttpError } from '../wire/errors/http-error.ts';
import { completion } from './completion.ts';
import { declaration } from './declaration.ts';
import { members } from './members.ts';

/** A request without an input is not of this format: then it is judged by what else it says, if it says anything. */
const texts = (body: JsonObject, phase: CheckPhase, how?: TextReading): readonly TextSpan[] | undefined => {
  const spans = bodyTexts(phase === 'input' ? members.request : members.answer, body, how);
  return phase === 'input' && spans?.length === 0 && body.input === undefined ? undefined : spans;
};

/** OpenAI reports none; other services do. */
const findUsage = ({ usage }: JsonObject): Usage | undefined => decodeUsage(findObject(usage));

/** OpenAI's moderations: https://platform.openai.com/docs/api-reference/moderations. It never streams, so every frame is content. */
export const moderations: Dialect = {
  ...declaration,
  classify: () => 'content',
  completion,
  encodeStreamError,
  decodeError: readHttpError,
  encodeWireError,
  decodeStreamError,
  texts,
  members,
  usage: findUsage,
  answeredBy: findModel,
  metered: { model: true, usage: true },
};
