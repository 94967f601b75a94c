import type { MasterKey, MasterKeys } from './master-key.ts';
import { UnknownMasterError } from './secret-error.ts';
import type { MasterRing } from './wrap.ts';

/** The master keys that a process has, and how it finds those that it does not have yet. */
export interface HeldMasters {
  readonly ring: MasterRing;
  /** Kept until the process ends. */
  add(key: MasterKey): void;
  /**
   * The result of `run`. Where it wants a master key that is not held, the keys are read again, and it is run again if there
   * are more: another process may have rotated them. Rejects as `run` does, and as the keys cannot be read.
   */
  using<Result>(run: () => Promise<Result>): Promise<Result>;
}

export interface HeldMastersOptions {
  readonly given: readonly MasterKey[];
  /** Reads the keys where the process has found them; those in files may have changed since. */
  readonly readAgain: () => Promise<Partial<MasterKeys>>;
}

export const holdMasters = ({ given, readAgain }: HeldMastersOptions): HeldMasters => {
  const ring = new Map<string, MasterKey>();
  const add = (key: MasterKey): void => void ring.set(key.id, key);
  given.forEach(add);

  const readOn = async (): Promise<void> => {
    const { masterKey, previousMasterKey } = await readAgain();
    for (const key of [masterKey, previousMasterKey]) if (key !== undefined) add(key);
  };

  return {
    ring,
    add,
    async using(run) {
      for (;;) {
        const held = ring.size;
        try {
          return await run();
        } catch (error) {
          if (!(error instanceof UnknownMasterError)) throw error;
          await readOn();
          if (ring.size === held) throw error;
        }
      }
    },
  };
};
