import type { Page } from '../router/page.ts';
import { page as audit } from './audit/page.ts';
import { page as config } from './config/page.ts';
import { page as configs } from './configs/page.ts';
import { page as guardrails } from './guardrails/page.ts';
import { page as keys } from './keys/page.ts';
import { page as live } from './live/page.ts';
import { page as newConfig } from './new-config/page.ts';
import { page as overview } from './overview/page.ts';
import { page as plan } from './plan/page.ts';
import { page as playground } from './playground/page.ts';
import { page as policies } from './policies/page.ts';
import { page as providers } from './providers/page.ts';
import { page as request } from './request/page.ts';
import { page as usage } from './usage/page.ts';

// biome-ignore format: one line per page, so that changes to several pages merge.
/** All pages, in the order of the navigation. */
export const pages: readonly Page[] = [
  overview,
  usage,
  plan,
  configs,
  config,
  newConfig,
  live,
  request,
  playground,
  providers,
  guardrails,
  keys,
  policies,
  audit,
];
