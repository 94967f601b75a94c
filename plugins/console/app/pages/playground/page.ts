import type { Page } from '../../router/page.ts';
import { texts } from '../../texts/playground.ts';

export const page: Page = {
  path: '/play',
  title: texts.title,
  scopes: ['completions.write'],
  navigation: { group: 'route', icon: 'play' },
  load: () => import('./playground.tsx'),
};
