import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import { findNumber, findObject, findText } from '../../../../../schema/json/loose.ts';
import { parseObject } from '../../../../../schema/json/parse-json.ts';
import { readInteger } from '../../accounts/answers/read-integer.ts';
import { errorBody } from '../../accounts/provider-refusal.ts';
import { isOver } from '../batch/batch-status.ts';
import { answered, type LineName } from '../lines/line-result.ts';
import type { ProviderResult, RemoteBatch } from './batch-adapter.ts';
import type { LineCodec } from './line-codec.ts';

/** Leaves out members that are null: optional members of a batch are absent, and never null. */
export const readPresent = (members: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));

/** Writes the member `errors` of a batch that its provider gave up; nothing where there is no reason. */
const batchErrors = (reasons: FoundBatch['reasons']): JsonObject => {
  if (reasons.length === 0) return {};
  const about = { code: 'provider_error', param: null, line: null };
  const data = reasons.map((reason) => ({ ...about, message: findText(reason) || 'The batch failed.' }));
  return { errors: { object: 'list', data } };
};

/** A batch in the terms of its provider, of which any member may be missing. */
interface FoundBatch extends Pick<RemoteBatch, 'id' | 'status' | 'members' | 'raw'> {
  readonly counts: { readonly [Name in keyof RemoteBatch['counts']]: Json | undefined };
  /** When it came to its status, if it has ended or is being cancelled. */
  readonly changedAt: number | null;
  /** Why its provider gave it up. */
  readonly reasons: readonly (Json | undefined)[];
}

/** Puts a batch of a provider in OpenAI's terms. */
export const toRemoteBatch = ({ counts, members, changedAt, reasons, ...batch }: FoundBatch): RemoteBatch => {
  const { status } = batch;
  const hasChanged = changedAt !== null && (isOver(batch) || status === 'cancelling');
  return {
    ...batch,
    counts: {
      total: readInteger(counts.total) ?? 0,
      completed: readInteger(counts.completed) ?? 0,
      failed: readInteger(counts.failed) ?? 0,
    },
    members: {
      ...readPresent(members),
      ...(hasChanged ? { [`${status}_at`]: changedAt } : {}),
      ...batchErrors(reasons),
    },
  };
};

/** The result of a line whose chat a provider has answered. Throws an `Error` for what is no answer. */
export const chatResult = (
  name: LineName,
  wire: JsonObject,
  { batch, codec, model }: { readonly batch: RemoteBatch; readonly codec: LineCodec; readonly model?: string },
): ProviderResult => {
  const created = findNumber(batch.members.created_at) ?? 0;
  const body = codec.answer(wire, { ...name, created, model });
  return { ...answered(name, { status: 200, body }), usage: codec.usage(wire, model) };
};

/** The result of a line that failed, of whose error the provider has a text: `Bad Request: {"error": {"code": 400, …}}`, or any other. */
export const failedResult = (name: LineName, failure: Json | undefined): ProviderResult => {
  const message = findText(failure) || 'The request failed.';
  const object = message.slice(Math.max(message.indexOf('{'), 0));
  const code = findNumber(findObject(parseObject(object)?.error)?.code);
  const [status, text] = code === undefined ? [500, JSON.stringify({ message })] : [code, object];
  return answered(name, { status, body: errorBody(status, text) });
};
