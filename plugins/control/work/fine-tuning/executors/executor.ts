import type { JsonObject } from '../../../../../schema/json/json.ts';
import type { Account } from '../../accounts/account.ts';
import type { CopiedFile } from '../../accounts/file-copies.ts';
import type { NewJob } from '../job/new-job.ts';

/** A part of what belongs to a job. */
export interface JobPage {
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface Listed {
  readonly data: readonly JsonObject[];
  readonly hasMore: boolean;
}

/**
 * Fine-tuning as one provider has it, in OpenAI's terms; what it answers need not have all members. All of it throws a
 * `ProviderRefusal` where the provider refuses.
 */
export interface TuningExecutor {
  /** `native`: the provider has OpenAI's interface itself. */
  readonly kind: 'native' | 'mapped';
  /** Throws the `GatewayError` `invalid-input` for what the provider does not have. */
  create(body: NewJob, account: Account): Promise<JsonObject>;
  retrieve(id: string, account: Account): Promise<JsonObject>;
  cancel(id: string, account: Account): Promise<JsonObject>;
  /** Absent where a job cannot be paused. */
  pause?(id: string, account: Account): Promise<JsonObject>;
  resume?(id: string, account: Account): Promise<JsonObject>;
  /** The newest jobs of the account, whoever made them; absent where its list does not tell all of a job. */
  recent?(account: Account): Promise<readonly JsonObject[]>;
  checkpoints(id: string, page: JobPage, account: Account): Promise<Listed>;
  events(id: string, page: JobPage, account: Account): Promise<Listed>;
  /** Whether a name of a file can be that of one in its account. The others are addresses, such as `s3://…`. */
  isFileId(name: string): boolean;
  /** Copies a file of the gateway into the account; resolves to its name there. */
  upload(file: CopiedFile, account: Account): Promise<string>;
  /** What the names of copies begin with, where an account has several places for them. Throws as `create`. */
  toPlace?(account: Account): string;
}

export const noneListed: Listed = { data: [], hasMore: false };
