import type { Page } from '../../router/page.ts';
import { texts } from '../../texts/live.ts';

export const page: Page = {
  path: '/live',
  title: texts.title,
  scopes: ['logs.list'],
  navigation: { group: 'observe', icon: 'live' },
  load: () => import('./live.tsx'),
};
