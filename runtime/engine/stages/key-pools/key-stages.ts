/** The code of targets with several keys. */
export { KeyCoolings } from '../../../in-memory/key-coolings.ts';
export { linkKeys } from './link-keys.ts';
