/** The code of mirrors, which most plans do not have. */
export { Mirrors } from '../call/mirrors.ts';
export { linkMirrors } from './link-mirrors.ts';
