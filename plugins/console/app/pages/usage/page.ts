import type { Page } from '../../router/page.ts';
import { texts } from '../../texts/usage.ts';

export const page: Page = {
  path: '/usage',
  title: texts.title,
  scopes: ['analytics.view'],
  navigation: { group: 'observe', icon: 'usage' },
  load: () => import('./usage.tsx'),
};
