import type { Page } from '../../router/page.ts';
import { texts } from '../../texts/overview.ts';

export const page: Page = {
  path: '/overview',
  title: texts.title,
  scopes: ['analytics.view'],
  navigation: { group: 'observe', icon: 'usage' },
  load: () => import('./overview.tsx'),
};
