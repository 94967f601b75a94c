import type { Page } from '../../router/page.ts';
import { texts } from '../../texts/policies.ts';

export const page: Page = {
  path: '/policies',
  title: texts.title,
  scopes: ['policies.list'],
  navigation: { group: 'access', icon: 'policy' },
  load: () => import('./policies.tsx'),
};
