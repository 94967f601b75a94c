import type { Usage } from '../../../../../schema/conversation/conversation.ts';
import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import { findNumber, findObject, findText, withoutNulls } from '../../../../../schema/json/loose.ts';
import { parseObject } from '../../../../../schema/json/parse-json.ts';
import { errorText } from '../../../../../schema/text/error-text.ts';
import type { BatchRow } from '../../../kernel/store/tables.ts';
import type { Account } from '../../provider-requests/account.ts';
import { errorBody } from '../../provider-requests/provider-refusal.ts';
import { readCount, readStatus } from '../../provider-requests/read-values.ts';
import type { CloudStorage } from '../../provider-requests/storage/cloud-storage.ts';
import { type BatchLine, type LineName, type LineResult, resultOfResponse } from '../batch/batch-lines.ts';
import { isOver } from '../batch/batch-members.ts';
import type { LineCodec } from '../batch/line-codec.ts';

/** Writes the member `errors` of a batch that its provider failed. */
const batchErrors = (reasons: FoundBatch['reasons']): JsonObject => ({
  errors: {
    object: 'list',
    data: reasons.map((reason) => ({
      ...{ code: 'provider_error', param: null, line: null },
      message: findText(reason) || 'The batch failed.',
    })),
  },
});

/** A batch in the terms of its provider, of which any member may be missing. */
interface FoundBatch extends Pick<RemoteBatch, 'id' | 'status' | 'members' | 'raw'> {
  readonly counts: { readonly [Name in keyof RemoteBatch['counts']]: Json | undefined };
  /** When the batch reached its status, if it has ended or is being cancelled. */
  readonly changedAt: number | null;
  /** Why the provider failed the batch. */
  readonly reasons: readonly (Json | undefined)[];
}

/** Converts a provider's batch to OpenAI's terms. */
export const toRemoteBatch = ({ counts, members, changedAt, reasons, ...batch }: FoundBatch): RemoteBatch => {
  const hasChanged = changedAt !== null && (isOver(batch) || batch.status === 'cancelling');
  return {
    ...batch,
    counts: {
      total: readCount(counts.total),
      completed: readCount(counts.completed),
      failed: readCount(counts.failed),
    },
    members: {
      ...withoutNulls(members),
      ...(hasChanged ? { [`${batch.status}_at`]: changedAt } : {}),
      ...(reasons.length === 0 ? {} : batchErrors(reasons)),
    },
  };
};

/**
 * Creates the result of a line whose chat a provider has answered. It has failed if the value is not an answer, such as one that
 * the model did not complete.
 */
export const chatResult = (
  name: LineName,
  wire: JsonObject,
  { batch, codec, model }: { readonly batch: RemoteBatch; readonly codec: LineCodec; readonly model?: string },
): ProviderResult => {
  try {
    const body = codec.answer(wire, { ...name, created: findNumber(batch.members.created_at) ?? 0, model });
    return { ...resultOfResponse(name, { status: 200, body }), usage: codec.usage(wire, model) };
  } catch (error) {
    return failedResult(name, errorText(error));
  }
};

/** Reads the status of a failed line. */
export const readFailure = (value: Json | undefined): number => {
  const status = readStatus(value, 500);
  return status < 400 ? 500 : status;
};

/**
 * Creates the result of a failed line from the provider's text of its error: `Bad Request: {"error": {"code": 400, …}}`, or any
 * other.
 */
export const failedResult = (name: LineName, failure: Json | undefined): ProviderResult => {
  const message = findText(failure) || 'The request failed.';
  const object = message.slice(Math.max(message.indexOf('{'), 0));
  const code = findNumber(findObject(parseObject(object)?.error)?.code);
  const status = readFailure(code);
  return resultOfResponse(name, {
    status,
    body: errorBody(status, code === undefined ? JSON.stringify({ message }) : object),
  });
};

/** The states of a batch. */
export type BatchStatus = BatchRow['status'];

/** A batch as its provider reports it, in OpenAI's terms. */
export interface RemoteBatch {
  readonly id: string;
  readonly status: BatchStatus;
  /** Members of a batch in OpenAI's form: times in seconds, `errors`. */
  readonly members: JsonObject;
  readonly counts: { readonly total: number; readonly completed: number; readonly failed: number };
  /** The provider's response, which has the location of its results. */
  readonly raw: JsonObject;
}

export interface BatchInput {
  readonly endpoint: string;
  readonly metadata: JsonObject | undefined;
  /** The model of all requests; undefined if they have different models. */
  readonly model: string | undefined;
  /** The role with which the provider reads and writes files, if the request names one. */
  readonly roleArn: string | undefined;
  /**
   * Returns the address of the input file's copy in a storage of the account, in the folder `place`. The copy is written there
   * when it is first used, by `upload`, which resolves to the address.
   */
  stored(place: string, upload: () => Promise<string>): Promise<string>;
  /** The id of a file of the account that already has the lines. */
  readonly sent?: string;
  /** Yields the requests, from the first one on, each time it is called. */
  lines(): AsyncIterable<BatchLine>;
}

/** The result of a line, and its usage as the provider reports it, if that has more than OpenAI's form can express. */
export interface ProviderResult extends LineResult {
  readonly usage?: Usage | undefined;
}

/** Lines as they are written into a file of an account. */
export interface WrittenLines {
  /** The storage that has the file; absent if files have ids of the provider instead of addresses. */
  readonly storage?: CloudStorage;
  lines(input: Pick<BatchInput, 'lines' | 'model' | 'endpoint'>, context: BatchContext): AsyncGenerator<Buffer>;
  /**
   * Returns the endpoint that the lines of the file with this id are for; undefined if it has none. Throws like the adapter's
   * methods.
   */
  findEndpoint?(id: string, account: Account): Promise<string | undefined>;
}

export interface BatchContext {
  readonly account: Account;
  readonly codec: LineCodec;
}

/**
 * Batches as one provider has them. All methods throw a `ProviderRefusal` if the provider refuses. Lines are converted one at a
 * time.
 */
export interface BatchAdapter {
  readonly endpoints: readonly string[];
  /**
   * Returns why a line cannot be sent in a batch although its chat can be written for the provider; undefined if it can be sent.
   */
  lineError?(line: BatchLine, codec: LineCodec, endpoint: string): string | undefined;
  /** Present if the input can be a file that was uploaded to the account before. */
  readonly written?: WrittenLines;
  /** Whether all lines must have the same model. */
  readonly hasOneModel?: true;
  create(input: BatchInput, context: BatchContext): Promise<RemoteBatch>;
  retrieve(id: string, account: Account): Promise<RemoteBatch>;
  /** Cancels a batch, and reads its state afterwards, in which the provider may not report the cancellation yet. */
  cancel(id: string, account: Account): Promise<RemoteBatch>;
  /** Reads the results of a batch that has ended, in the form of the provider. */
  lines(batch: RemoteBatch, account: Account): AsyncIterable<JsonObject>;
  toResult(line: JsonObject, batch: RemoteBatch, codec: LineCodec): ProviderResult;
}
