import path from 'node:path';
import { it } from 'vitest';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { fuzzCommands } from './fuzz-commands.ts';

it('every command ends as documented, whatever its arguments, files and texts are', { timeout: 120_000 }, async () => {
  await fuzzCommands(path.join(temporaryFolder(), 'here'), { numRuns: 150 });
});
