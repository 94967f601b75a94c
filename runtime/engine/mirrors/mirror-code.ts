/** The code of mirrors, which most plans do not have. */
export { linkMirrors } from './link-mirrors.ts';
export { Mirrors } from './mirrors.ts';
