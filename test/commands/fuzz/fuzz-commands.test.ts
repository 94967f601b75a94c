import path from 'node:path';
import { it } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { fuzzCommands } from './fuzz-commands.ts';

it('no argument, file or text makes a command end but as it says', { timeout: 120_000 }, async () => {
  await fuzzCommands(path.join(temporaryFolder(), 'here'), { numRuns: 150 });
});
