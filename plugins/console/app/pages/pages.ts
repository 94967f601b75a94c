import type { Page } from '../router/page.ts';
import { page as audit } from './audit/page.ts';
import { page as live } from './live/page.ts';
import { page as request } from './request/page.ts';

/** All pages, in the order of the navigation. */
export const pages: readonly Page[] = [live, request, audit];
