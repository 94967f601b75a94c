import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { spoolFailure } from '../../../../runtime/cli/settings/serve-failure.ts';
import { errorCode } from '../../../../schema/text/error-code.ts';
import { type Check, type Finding, splitAdvice } from '../../set-up/finding.ts';
import { besideFile, type SetUp } from '../../set-up/set-up.ts';

const accessError = (folder: string): Promise<unknown> =>
  access(folder, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => undefined,
    (error: unknown) => error,
  );

const spool = async (setUp: SetUp): Promise<readonly Finding[]> => {
  const { spool_dir } = setUp.settings;
  if (spool_dir === undefined) return [];
  const folder = besideFile(setUp, spool_dir);
  const error = await accessError(folder);
  if (error === undefined) return [];
  return [{ severity: 'error', subject: '"spool_dir"', ...splitAdvice(spoolFailure(error, folder).message) }];
};

const temporary = async (): Promise<readonly Finding[]> => {
  const folder = tmpdir();
  const error = await accessError(folder);
  if (error === undefined) return [];
  return [
    {
      severity: 'warning',
      subject: folder,
      what: `The folder for temporary files, ${folder}, cannot be written (${errorCode(error)}): Node's compile cache and gw plugin verify need it.`,
      remedy:
        'Give this user a folder of its own, and set TMPDIR to it; in a container with a read-only root mount one at /tmp.',
    },
  ];
};

export const folders: Check = {
  id: 'folders',
  description: 'the folders for large forms and for temporary files: whether they are writable',
  run: async (setUp) => [...(await spool(setUp)), ...(await temporary())],
};
