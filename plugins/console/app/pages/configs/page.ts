import type { Page } from '../../router/page.ts';
import { texts } from '../../texts/configs.ts';

export const page: Page = {
  path: '/configs',
  title: texts.title,
  scopes: ['configs.list'],
  navigation: { group: 'route', icon: 'config' },
  load: () => import('./configs.tsx'),
};
