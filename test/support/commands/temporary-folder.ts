import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/**
 * Creates a folder with these files (objects as JSON) that is removed at the end of the test. A concurrent test must pass its
 * own `whenFinished`.
 */
export const temporaryFolder = (
  files: Readonly<Record<string, string | object>> = {},
  whenFinished: (remove: () => void) => void = onTestFinished,
): string => {
  const folder = mkdtempSync(path.join(tmpdir(), 'gw-'));
  // Processes of a command that has ended may still be writing files for a moment, so the removal is repeated.
  whenFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, undefined, 2));
  }
  return folder;
};
