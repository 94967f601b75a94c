import type { PrincipalNow } from '../../access/identity/principal-now.ts';
import type { Blobs } from '../../kernel/blobs/blobs.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import type { StoredFiles } from '../files/create-files.ts';
import type { FileSettings } from '../files/open-files.ts';
import type { RemoteIds } from '../remote-ids/remote-ids.ts';
import type { OpenedItems } from '../response-items/open-items.ts';
import type { AccountIds } from './account-ids.ts';
import type { FileCopies } from './file-copies.ts';

/** The parts of files, batches, jobs and responses, in addition to those of all resources. */
export interface WorkParts extends ControlParts {
  /** Sealed bytes that are not files of users. */
  readonly blobs: Blobs;
  readonly files: StoredFiles;
  readonly fileLimits: Pick<FileSettings, 'maxBytes'>;
  readonly remoteIds: RemoteIds;
  readonly accountIds: AccountIds;
  /** Shared by all resources, so that a file is copied once, whichever of them need it. */
  readonly fileCopies: FileCopies;
  /** Items of responses that later requests may name. */
  readonly storedItems: Pick<OpenedItems, 'remove'>;
  /** Finds the current principal of a caller that sent an earlier request. */
  readonly principalNow: PrincipalNow;
  /** Resolves when the usage of requests so far is stored durably. Waits while the store is unavailable. Never rejects. */
  usageKept(): Promise<void>;
}
