import { stat } from 'node:fs/promises';
import { credentialsIn } from '../../../../schema/credentials/credential-form.ts';
import type { Check, Finding } from '../../set-up/finding.ts';
import { type SetUp, shownFile } from '../../set-up/set-up.ts';

const listTexts = async (setUp: SetUp): Promise<readonly (readonly [file: string, text: string])[]> => {
  const { file, text } = setUp;
  const { files } = await setUp.plans().catch(() => ({ files: [] }));
  return [
    ...(file === undefined || text === undefined ? [] : [[file, text] as const]),
    ...files.flatMap((each) => (each.text === undefined ? [] : [[each.file, each.text] as const])),
  ];
};

export const writtenCredentials: Check = {
  id: 'written-credentials',
  description:
    'credentials that are written out in the gateway file, or in a config that every user of the machine can read',
  async run(setUp) {
    if (process.platform === 'win32') return [];
    const found: Finding[] = [];
    for (const [file, text] of await listTexts(setUp)) {
      if (text.search(credentialsIn) < 0) continue;
      const { mode } = await stat(file);
      if (mode % 0o10 < 0o4) continue;
      found.push({
        severity: 'warning',
        subject: shownFile(setUp, file),
        what: 'It has a credential written out, and every user of this machine can read it.',
        remedy: `Put the credential into a variable or a file, refer to it as \${env:NAME} or \${file:/path}, and run: chmod o-r ${shownFile(setUp, file)}`,
      });
    }
    return found;
  },
};
