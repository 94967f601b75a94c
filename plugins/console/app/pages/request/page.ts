import type { Page } from '../../router/page.ts';
import { texts } from '../../texts/request.ts';

export const page: Page = {
  path: '/requests/:id',
  title: texts.title,
  scopes: ['logs.view'],
  load: () => import('./request.tsx'),
};
