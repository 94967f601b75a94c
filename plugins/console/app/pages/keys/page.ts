import type { Page } from '../../router/page.ts';
import { texts } from '../../texts/keys.ts';

export const page: Page = {
  path: '/keys',
  title: texts.title,
  scopes: ['keys.list'],
  navigation: { group: 'access', icon: 'key' },
  commands: [{ title: texts.create, scopes: ['keys.create'], query: { new: 'key' } }],
  load: () => import('./keys.tsx'),
};
