import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { errorText } from '../../../../schema/text/error-text.ts';
import { AdminKeyError, type FirstStart } from './first-key.ts';

export interface FirstStartReport {
  /** Takes what the operator is told. */
  readonly say: (text: string) => void;
  /** Whether a person reads it. */
  readonly isTerminal: boolean;
  /** Where the key goes if nobody does. */
  readonly file: string;
}

const advice = 'Send it as x-gw-api-key. It is not shown again: gw keys create --admin makes another one.';

/** A file that is there already, or a link, is replaced: its permissions may let others read it. */
const writePrivate = async (file: string, text: string): Promise<void> => {
  const beside = `${file}.${randomUUID()}.tmp`;
  try {
    await writeFile(beside, text, { mode: 0o600, flag: 'wx' });
    await rename(beside, file);
  } catch (error) {
    await rm(beside, { force: true });
    throw new AdminKeyError(
      `The first admin key of this store could not be written to ${file}: ${errorText(error)}. It is lost: make room for the file, run gw keys create --admin, which makes another one in the store, and start the gateway again.`,
    );
  }
};

/**
 * Hands the first admin key of a new store to whoever started the gateway: on the terminal, or in a file that only its owner
 * can read. Rejects with an `AdminKeyError` where that cannot be written.
 */
export const reportFirstStart = async (
  first: FirstStart,
  { say, isTerminal, file }: FirstStartReport,
): Promise<void> => {
  if (first.made === 'none' && first.given === 'unknown')
    say(
      'gw: The store has an admin key already, and GW_ADMIN_KEY is not one that it accepts. It is not used. If the admin key is lost, gw keys create --admin makes another one in the store.\n',
    );
  if (first.made === 'none' && first.isLost)
    say(
      'gw: No key of this store manages keys any more: its admin keys are revoked or have expired. gw keys create --admin makes another one in the store.\n',
    );
  if (first.made !== 'new') return;
  if (isTerminal) {
    say(`gw: The first admin key of this store is\n\n  ${first.key}\n\n${advice}\n`);
    return;
  }
  await writePrivate(file, `${first.key}\n`);
  say(`gw: The first admin key of this store is in ${file}. Move it to a safe place.\n`);
};
