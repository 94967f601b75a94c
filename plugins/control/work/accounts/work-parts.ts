import type { PrincipalNow } from '../../access/identity/principal-now.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import type { Blobs } from '../blobs/blobs.ts';
import type { StoredFiles } from '../files/create-files.ts';
import type { FileSettings } from '../files/open-files.ts';
import type { OpenedItems } from '../named-items/open-items.ts';
import type { RemoteIds } from '../references/remote-ids.ts';
import type { AccountIds } from './account-ids.ts';
import type { FileCopies } from './file-copies.ts';

/** The parts of files, batches, jobs and responses, beside those that all resources have. */
export interface WorkParts extends ControlParts {
  /** Sealed bytes that are no files of users. */
  readonly blobs: Blobs;
  readonly files: StoredFiles;
  readonly fileLimits: Pick<FileSettings, 'maxBytes'>;
  readonly remoteIds: RemoteIds;
  readonly accountIds: AccountIds;
  /** One for all resources, so that a file is copied once, whichever of them want it. */
  readonly fileCopies: FileCopies;
  /** Items of answers that later requests may name. */
  readonly storedItems: Pick<OpenedItems, 'remove'>;
  /** Finds the present principal of a caller that asked for something before. */
  readonly principalNow: PrincipalNow;
  /** Resolves when what requests have used so far outlasts this process. While the store is unavailable it waits. It never rejects. */
  usageKept(): Promise<void>;
}
