import { texts } from '../../texts/config.ts';
import type { Page } from '../page.ts';

export const page: Page = {
  path: '/configs/:slug',
  title: texts.title,
  scopes: ['configs.read'],
  load: () => import('./config.tsx'),
};
