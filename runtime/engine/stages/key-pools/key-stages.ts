/** The code of targets with several keys. */
export { KeyCoolings } from '../../../memory/key-coolings.ts';
export { linkKeys } from './link-keys.ts';
