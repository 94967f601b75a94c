import type { Config } from '../../../schema/generated/config.ts';
import { childPointer, type JsonPointer } from '../../../schema/json/pointer.ts';
import type { SoundItem, Soundness } from '../../validate/soundness.ts';

type PoolKey = NonNullable<Config['keys']>[number];

/** The keys of a config, those that have the right shape, with their places. */
export const poolKeys = (
  pointer: JsonPointer,
  { keys }: Pick<Config, 'keys'>,
  sound: Soundness,
): readonly SoundItem<PoolKey>[] =>
  sound
    .items<PoolKey>(keys, childPointer(pointer, 'keys'))
    .filter(({ pointer: at }) => !sound.isUnsound(childPointer(at, 'api_key')));
