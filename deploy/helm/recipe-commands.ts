import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readFences } from '../../test/support/readme/read-fences.ts';

const root = path.join(import.meta.dirname, '../..');

/** The recipes that use the chart. */
export const chartRecipes = ['kubernetes.md', 'kubernetes-sidecar.md'] as const;

export type ChartRecipe = (typeof chartRecipes)[number];

const readRecipe = (page: ChartRecipe): string => readFileSync(path.join(root, 'docs/recipes', page), 'utf8');

/** Returns the helm commands in the blocks and sentences of a recipe, without the commands that they are piped into. */
export const recipeCommands = (page: ChartRecipe): readonly string[] =>
  [...readRecipe(page).matchAll(/(?:^|`)(helm (?:install|template) [^|`\n]+)/gm)].map(([, command = '']) =>
    command.trim(),
  );

/** Calls `run` with each command of a recipe and a folder that has the package and the files of the recipe. */
export const followRecipe = (page: ChartRecipe, run: (command: string, folder: string) => void): void => {
  const folder = mkdtempSync(path.join(tmpdir(), 'gw-chart-recipe-'));
  try {
    mkdirSync(path.join(folder, 'node_modules'));
    symlinkSync(root, path.join(folder, 'node_modules/gatewright'));
    for (const { language, file, text } of readFences(readRecipe(page)))
      if (language === 'yaml' && file !== undefined) writeFileSync(path.join(folder, file), text);
    for (const command of recipeCommands(page)) run(command, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
};
