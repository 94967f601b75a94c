import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../tools/build/package-modules.ts';

const folder = path.join(root, 'docs/recipes');

/** The files of all recipes. */
export const recipePages: readonly string[] = globSync('*.md', { cwd: folder })
  .filter((file) => file !== 'README.md')
  .sort();

/** Returns the text of a recipe, or of their index. */
export const readRecipe = (file: string): string => readFileSync(path.join(folder, file), 'utf8');
