import type { ReferencePage } from '../markdown.ts';
import { apiPages } from './api-pages.ts';
import { commandPages } from './command-pages.ts';
import { diagnosticPages } from './diagnostic-pages.ts';
import { errorPages } from './error-pages.ts';
import { guardrailPages } from './guardrail-pages.ts';
import { headerPage } from './header-page.ts';
import { indexPage } from './index-page.ts';
import { logPage } from './log-page.ts';
import { memberPages } from './member-pages.ts';
import { metricsPage } from './metrics-page.ts';
import { policiesPage } from './policies-page.ts';
import { providerPage } from './provider-page.ts';
import { scopesPage } from './scopes-page.ts';
import { sdkPages } from './sdk-pages.ts';
import { sinkPage } from './sink-page.ts';

/** Creates every page of the reference that is generated from the sources. */
export const referencePages = async (): Promise<readonly ReferencePage[]> => [
  indexPage(),
  ...diagnosticPages(),
  ...errorPages(),
  ...memberPages(),
  headerPage(),
  ...(await commandPages()),
  ...apiPages(),
  await metricsPage(),
  logPage(),
  providerPage(),
  ...guardrailPages(),
  await sinkPage(),
  policiesPage(),
  scopesPage(),
  ...sdkPages(),
];
