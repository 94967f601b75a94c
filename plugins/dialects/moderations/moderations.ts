import type { Usage } from '../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { findObject } from '../../../schema/json/loose.ts';
import type { Dialect } from '../../sdk/dialect/dialect.ts';
import { decodeUsage } from '../chat/answer/usage.ts';
import { errors } from '../chat/parts/errors.ts';
import { findModel } from '../shared/answer/find-model.ts';
import { memberTexts } from '../shared/checked-texts/member-texts.ts';
import { completion } from './completion.ts';
import { declaration } from './declaration.ts';
import { members } from './members.ts';

/** Returns the usage. OpenAI reports none, but other services do. */
const findUsage = ({ usage }: JsonObject): Usage | undefined => decodeUsage(findObject(usage));

/** OpenAI's moderations: https://platform.openai.com/docs/api-reference/moderations. It never streams, so every frame is content. */
export const moderations: Dialect = {
  ...declaration,
  classify: () => 'content',
  completion,
  ...errors,
  answerMembers: ['results'],
  texts: memberTexts(members, ['input']),
  members,
  usage: findUsage,
  answeredBy: findModel,
  metered: { model: true, usage: true },
};
