import { diagnosticPages } from './diagnostic-pages.ts';
import { errorPages } from './error-pages.ts';
import type { ReferencePage } from './markdown.ts';
import { memberPages } from './member-pages.ts';

/** Every page of the reference that is made from the sources. */
export const referencePages = async (): Promise<readonly ReferencePage[]> => [
  ...diagnosticPages(),
  ...errorPages(),
  ...memberPages(),
];
