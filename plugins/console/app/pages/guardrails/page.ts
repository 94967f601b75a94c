import type { Page } from '../../router/page.ts';
import { texts } from '../../texts/guardrails.ts';

export const page: Page = {
  path: '/guardrails',
  title: texts.title,
  scopes: ['guardrails.list'],
  navigation: { group: 'route', icon: 'guardrail' },
  load: () => import('./guardrails.tsx'),
};
