import type { Page } from '../../router/page.ts';
import { texts } from '../../texts/providers.ts';

export const page: Page = {
  path: '/providers',
  title: texts.title,
  scopes: ['providers.list'],
  navigation: { group: 'route', icon: 'provider' },
  load: () => import('./providers.tsx'),
};
