import type { Page } from '../router/page.ts';
import { page as audit } from './audit/page.ts';
import { page as keys } from './keys/page.ts';
import { page as overview } from './overview/page.ts';
import { page as policies } from './policies/page.ts';
import { page as usage } from './usage/page.ts';

// biome-ignore format: a line each, so that changes of several pages merge.
/** All pages, in the order of the navigation. */
export const pages: readonly Page[] = [
  overview,
  usage,
  keys,
  policies,
  audit,
];
