import type { Usage } from '../../../../../schema/conversation/conversation.ts';
import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import { findNumber, findObject, findText, withoutNulls } from '../../../../../schema/json/loose.ts';
import { parseObject } from '../../../../../schema/json/parse-json.ts';
import { errorText } from '../../../../../schema/text/error-text.ts';
import type { BatchRow } from '../../../kernel/store/tables.ts';
import type { Account } from '../../accounts/account.ts';
import { errorBody } from '../../accounts/provider-refusal.ts';
import { readCount, readStatus } from '../../accounts/read-values.ts';
import type { CloudStorage } from '../../accounts/storage/cloud-storage.ts';
import { answered, type BatchLine, type LineName, type LineResult } from '../batch/batch-lines.ts';
import { isOver } from '../batch/batch-members.ts';
import type { LineCodec } from '../batch/line-codec.ts';

/** Writes the member `errors` of a batch that its provider gave up. */
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
  /** When it came to its status, if it has ended or is being cancelled. */
  readonly changedAt: number | null;
  /** Why its provider gave it up. */
  readonly reasons: readonly (Json | undefined)[];
}

/** Puts a batch of a provider in OpenAI's terms. */
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

/** The result of a line whose chat a provider has answered; it has failed where that is no answer, such as one that the model did not complete. */
export const chatResult = (
  name: LineName,
  wire: JsonObject,
  { batch, codec, model }: { readonly batch: RemoteBatch; readonly codec: LineCodec; readonly model?: string },
): ProviderResult => {
  try {
    const body = codec.answer(wire, { ...name, created: findNumber(batch.members.created_at) ?? 0, model });
    return { ...answered(name, { status: 200, body }), usage: codec.usage(wire, model) };
  } catch (error) {
    return failedResult(name, errorText(error));
  }
};

/** The status of a line that failed. */
export const readFailure = (value: Json | undefined): number => {
  const status = readStatus(value, 500);
  return status < 400 ? 500 : status;
};

/** The result of a line that failed, of whose error the provider has a text: `Bad Request: {"error": {"code": 400, …}}`, or any other. */
export const failedResult = (name: LineName, failure: Json | undefined): ProviderResult => {
  const message = findText(failure) || 'The request failed.';
  const object = message.slice(Math.max(message.indexOf('{'), 0));
  const code = findNumber(findObject(parseObject(object)?.error)?.code);
  const status = readFailure(code);
  return answered(name, { status, body: errorBody(status, code === undefined ? JSON.stringify({ message }) : object) });
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
  /** The provider's answer: where its results are. */
  readonly raw: JsonObject;
}

export interface BatchInput {
  readonly endpoint: string;
  readonly metadata: JsonObject | undefined;
  /** The model of all of them; undefined if they have different ones. */
  readonly model: string | undefined;
  /** The role with which the provider reads and writes files, where the request names one. */
  readonly roleArn: string | undefined;
  /**
   * The address of what stands for the input file in a storage of the account, in the folder `place`: it is written there at
   * its first use, by `upload`, which resolves to the address.
   */
  stored(place: string, upload: () => Promise<string>): Promise<string>;
  /** The id of a file of the account that has the lines already. */
  readonly sent?: string;
  /** The requests, from the first one, each time it is called. */
  lines(): AsyncIterable<BatchLine>;
}

/** The result of a line, and what it used as the provider itself reports it, where its form has more than OpenAI's. */
export interface ProviderResult extends LineResult {
  readonly usage?: Usage | undefined;
}

/** Lines as they are written into a file of an account. */
export interface WrittenLines {
  /** Where the file is, and its address; absent where files have ids of the provider, and no storage. */
  readonly storage?: CloudStorage;
  lines(input: Pick<BatchInput, 'lines' | 'model' | 'endpoint'>, context: BatchContext): AsyncGenerator<Buffer>;
  /** The endpoint that the lines of a file with an id are for; undefined if it has none. Throws like the rest of it. */
  findEndpoint?(id: string, account: Account): Promise<string | undefined>;
}

export interface BatchContext {
  readonly account: Account;
  readonly codec: LineCodec;
}

/**
 * Batches as one provider has them. All of it throws a `ProviderRefusal` where the provider refuses; lines are converted one
 * at a time.
 */
export interface BatchAdapter {
  readonly endpoints: readonly string[];
  /** Says why a line whose chat can be written for the provider cannot be sent in a batch; undefined if it can. */
  lineError?(line: BatchLine, codec: LineCodec, endpoint: string): string | undefined;
  /** Where its input can be a file that was sent to the account before. */
  readonly written?: WrittenLines;
  /** Whether all lines must have the same model. */
  readonly hasOneModel?: true;
  create(input: BatchInput, context: BatchContext): Promise<RemoteBatch>;
  retrieve(id: string, account: Account): Promise<RemoteBatch>;
  /** Cancels a batch, and reads how it is then: its provider may not say yet that it is being cancelled. */
  cancel(id: string, account: Account): Promise<RemoteBatch>;
  /** Reads the results of a batch that has ended, in the form of the provider. */
  lines(batch: RemoteBatch, account: Account): AsyncIterable<JsonObject>;
  toResult(line: JsonObject, batch: RemoteBatch, codec: LineCodec): ProviderResult;
}
