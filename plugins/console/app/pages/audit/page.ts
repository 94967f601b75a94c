import type { Page } from '../../router/page.ts';
import { texts } from '../../texts/audit.ts';

export const page: Page = {
  path: '/audit',
  title: texts.title,
  scopes: ['audit_logs.list'],
  navigation: { group: 'access', icon: 'audit' },
  load: () => import('./audit.tsx'),
};
