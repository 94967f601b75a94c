import type { Page } from '../../router/page.ts';
import { texts } from '../../texts/config.ts';

export const page: Page = {
  path: '/configs/:slug',
  title: texts.title,
  scopes: ['configs.read'],
  load: () => import('./config.tsx'),
};
