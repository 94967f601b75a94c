import type { Overlay } from '../control-parts.ts';
import { hasConfig } from '../saved/config-finder.ts';
import type { Writing } from '../store/store.ts';
import type { SettingsFacts } from './settings-change.ts';

/** Where settings hold. */
export interface SettingsPlace {
  readonly overlay: Overlay;
  readonly organisation: string;
  /** The workspace whose configs can be named. */
  readonly workspace: string;
}

/** Looks for what settings name: in the store, and in the gateway's files. */
export const settingsFacts = (db: Pick<Writing, 'selectFrom'>, place: SettingsPlace): SettingsFacts => ({
  hasConfig: (name) => hasConfig(db, { ...place, name }),
});
