import type { Page } from '../router/page.ts';
import { page as audit } from './audit/page.ts';

/** All pages, in the order of the navigation. */
export const pages: readonly Page[] = [audit];
