import { writeFile } from 'node:fs/promises';
import type { FirstStart } from './keys/first-key.ts';

export interface FirstStartTelling {
  /** Takes what the operator is told. */
  readonly say: (text: string) => void;
  /** Whether a person reads it. */
  readonly isTerminal: boolean;
  /** Where the key goes if nobody does. */
  readonly file: string;
}

const advice = 'Send it as x-gw-api-key. It is not shown again: gw keys create --admin makes another one.';

/**
 * Hands the first admin key of a new store to whoever started the gateway: on the terminal, or in a file that only its owner
 * can read. Rejects as `writeFile` does.
 */
export const tellFirstStart = async (
  first: FirstStart,
  { say, isTerminal, file }: FirstStartTelling,
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
  await writeFile(file, `${first.key}\n`, { mode: 0o600 });
  say(`gw: The first admin key of this store is in ${file}. Move it to a safe place.\n`);
};
