import type { JsonObject } from '../../../schema/json/json.ts';
import type { Provider } from './provider.ts';

/** Returns the parameters that a provider with these settings does not accept in a dialect, by wire name. */
export const readDrop = (
  { drop = [] }: Pick<Provider, 'drop'>,
  settings: JsonObject,
  dialect?: string,
): readonly string[] => (typeof drop === 'function' ? drop(settings, dialect) : drop);
