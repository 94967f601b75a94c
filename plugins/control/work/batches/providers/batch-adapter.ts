import type { Usage } from '../../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import type { BatchRow } from '../../../kernel/store/tables/tables.ts';
import type { Account } from '../../accounts/account.ts';
import type { CloudStorage } from '../../accounts/storage/cloud-storage.ts';
import type { LineResult } from '../lines/line-result.ts';
import type { BatchLine } from '../lines/validate-line.ts';
import type { LineCodec } from './line-codec.ts';

/** The states of a batch. */
export type BatchStatus = BatchRow['status'];

/** A batch as its provider tells of it, in OpenAI's terms. */
export interface RemoteBatch {
  readonly id: string;
  readonly status: BatchStatus;
  /** Members of a batch in OpenAI's form: times in seconds, `errors`. */
  readonly members: JsonObject;
  readonly counts: { readonly total: number; readonly completed: number; readonly failed: number };
  /** What the provider answered: where its results are. */
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

/** The result of a line, and what it used as the provider itself tells it, where its form has more than OpenAI's. */
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
  /** Why a line whose chat can be written for the provider cannot be sent in a batch; undefined if it can. */
  lineFault?(line: BatchLine, codec: LineCodec, endpoint: string): string | undefined;
  /** Where its input can be a file that was sent to the account before. */
  readonly written?: WrittenLines;
  /** Whether all lines must have the same model. */
  readonly hasOneModel?: true;
  create(input: BatchInput, context: BatchContext): Promise<RemoteBatch>;
  retrieve(id: string, account: Account): Promise<RemoteBatch>;
  cancel(id: string, account: Account): Promise<RemoteBatch>;
  /** Reads the results of a batch that has ended, in the form of the provider. */
  lines(batch: RemoteBatch, account: Account): AsyncIterable<JsonObject>;
  toResult(line: JsonObject, batch: RemoteBatch, codec: LineCodec): ProviderResult;
}
