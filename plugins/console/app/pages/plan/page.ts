import type { Page } from '../../router/page.ts';
import { texts } from '../../texts/plan.ts';

export const page: Page = {
  path: '/plan',
  title: texts.title,
  scopes: ['configs.list', 'configs.read'],
  navigation: { group: 'observe', icon: 'plan' },
  load: () => import('./plan.tsx'),
};
