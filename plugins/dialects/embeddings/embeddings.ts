import type { Usage } from '../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { findNumber, findObject } from '../../../schema/json/loose.ts';
import type { Dialect } from '../../sdk/dialect/dialect.ts';
import { decodeUsage } from '../chat/answer/usage.ts';
import { decodeStreamError, encodeStreamError, encodeWireError } from '../chat/errors/errors.ts';
import { findModel } from '../wire/answer/find-model.ts';
import { readHttpError } from '../wire/errors/http-error.ts';
import { codec } from './codec.ts';
import { declaration } from './declaration.ts';
import { inForm } from './in-form.ts';
import { members } from './members.ts';
import { providerCodec } from './provider-codec.ts';
import { split } from './split.ts';
import { texts } from './texts.ts';

/** An embedding has no output, so that a total alone is its input. */
const findUsage = (wire: JsonObject): Usage | undefined => {
  const usage = findObject(wire.usage);
  const total = findNumber(usage?.total_tokens);
  return decodeUsage(usage) ?? (total === undefined ? undefined : { input: total, output: 0 });
};

/**
 * OpenAI's embeddings: https://platform.openai.com/docs/api-reference/embeddings. Providers of another format for embeddings are
 * asked in theirs, and clients of another one are answered in theirs. It never streams, so every frame is content.
 */
export const embeddings: Dialect = {
  ...declaration,
  classify: () => 'content',
  encodeStreamError,
  decodeError: readHttpError,
  encodeWireError,
  decodeStreamError,
  texts,
  members,
  usage: findUsage,
  answeredBy: findModel,
  metered: { model: true, usage: true },
  clientCodecs: { embed: codec },
  providerCodecs: { embed: providerCodec },
  inForm,
  split,
};
