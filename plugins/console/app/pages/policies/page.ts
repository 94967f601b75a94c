import type { Page } from '../../router/page.ts';
import { texts } from '../../texts/policies.ts';

export const page: Page = {
  path: '/policies',
  title: texts.title,
  scopes: ['policies.list'],
  navigation: { group: 'access', icon: 'policy' },
  commands: [
    { title: texts.createBudget, scopes: ['policies.create'], query: { new: 'budget' } },
    { title: texts.createRate, scopes: ['policies.create'], query: { new: 'rate' } },
  ],
  load: () => import('./policies.tsx'),
};
