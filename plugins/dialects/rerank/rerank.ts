import type { Usage } from '../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { findNumber, findObject } from '../../../schema/json/loose.ts';
import type { CheckPhase } from '../../../schema/trail/trail.ts';
import type { Dialect } from '../../sdk/dialect/dialect.ts';
import type { TextReading, TextSpan } from '../../sdk/dialect/text-span.ts';
import { decodeStreamError, encodeStreamError, encodeWireError } from '../cohere/errors/errors.ts';
import { findModel } from '../wire/answer/find-model.ts';
import { bodyTexts } from '../wire/checked-texts/request-texts.ts';
import { readHttpError } from '../wire/errors/http-error.ts';
import { codec } from './codec.ts';
import { declaration } from './declaration.ts';
import { members } from './members.ts';

/**
 * Search units or tokens, by what the service charges: https://docs.cohere.com/reference/rerank#response.body.meta,
 * https://jina.ai/reranker. A ranking has no output.
 */
const findUsage = ({ meta, usage }: JsonObject): Usage | undefined => {
  const billed = findObject(findObject(meta)?.billed_units);
  const tokens = findObject(findObject(meta)?.tokens);
  const searches = findNumber(billed?.search_units) ?? findNumber(findObject(usage)?.search_units);
  const input = findNumber(findObject(usage)?.total_tokens) ?? findNumber(tokens?.input_tokens);
  if (searches === undefined && input === undefined) return undefined;
  return { input: input ?? 0, output: 0, ...(searches === undefined ? {} : { calls: { search: searches } }) };
};

const texts = (body: JsonObject, phase: CheckPhase, how?: TextReading): readonly TextSpan[] | undefined =>
  bodyTexts(phase === 'input' ? members.request : members.answer, body, how);

/**
 * Cohere's rerank, and that of services that follow it: https://docs.cohere.com/reference/rerank. Providers of another format
 * for it are asked in theirs. It never streams, so every frame is content.
 */
export const rerank: Dialect = {
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
  metered: { model: true, usage: true, meta: true },
  clientCodecs: { rerank: codec },
};
