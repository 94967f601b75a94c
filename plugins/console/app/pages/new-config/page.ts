import type { Page } from '../../router/page.ts';
import { texts } from '../../texts/configs.ts';

export const page: Page = {
  path: '/new-config',
  title: texts.fresh.title,
  scopes: ['configs.create', 'configs.read'],
  load: () => import('./new-config.tsx'),
};
