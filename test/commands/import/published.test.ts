import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { publishedConfigs } from './published-configs.ts';

const root = path.join(import.meta.dirname, 'published');

/** Findings that appear or disappear on a date, because model facts have dates, without a change of the config. */
const datedCodes = ['deprecated-model', 'closed-provider'];

interface Imported {
  readonly files: Readonly<Record<string, string>>;
  readonly losses: readonly { readonly line: number; readonly place: string; readonly why: string }[];
}

interface Checked {
  readonly files: readonly {
    readonly file: string;
    readonly diagnostics: readonly { readonly code: string; readonly pointer: string }[];
  }[];
}

describe('gw import for published configurations', () => {
  it('is tested with at least ten Portkey and five LiteLLM files, all of which are in the table', () => {
    for (const [kind, least] of [
      ['portkey', 10],
      ['litellm', 5],
    ] as const) {
      const listed = publishedConfigs.filter((each) => each.kind === kind).map(({ file }) => file);
      expect(listed.toSorted()).toEqual(readdirSync(path.join(root, kind)).toSorted());
      expect(listed.length).toBeGreaterThanOrEqual(least);
    }
  });

  it.each(publishedConfigs)(
    'creates configs from $kind $file with only the known findings, and reports the place of each loss',
    async ({ kind, file, losses, findings }) => {
      const text = readFileSync(path.join(root, kind, file), 'utf8');
      const folder = temporaryFolder({ [file]: text });
      const { code, out } = await runGw(folder, ['import', kind, file, '--format', 'json']);
      const imported: Imported = JSON.parse(out);
      expect(imported.losses.map(({ place, why }) => [place, why])).toEqual(losses);
      for (const literal of text.match(/[\w-]*literal[\w-]*/g) ?? []) expect(out).not.toContain(literal);
      const lines = text.split('\n');
      for (const { line, place } of imported.losses) {
        const member = place.split('/').at(-1) ?? '';
        if (!/^\d+$/.test(member)) expect(lines[line - 1]).toContain(member);
      }
      const made = await runGw(folder, ['import', kind, file, '--out', 'out']);
      expect(made.code).toBe(code);
      // If everything is lost, the command reports that, and each loss once.
      if (Object.keys(imported.files).length === 0) {
        expect(made).toMatchObject({ code: 1, err: expect.stringContaining('Nothing in') });
        const notes = new Set(imported.losses.map(({ why }) => why));
        expect(made.out.split('\n')).toHaveLength(notes.size + 1);
        return;
      }
      const checked = await runGw(path.join(folder, 'out'), ['check', 'configs', '--format', 'json']);
      expect(checked.code).toBe(0);
      const { files }: Checked = JSON.parse(checked.out);
      expect(
        files.flatMap((each) =>
          each.diagnostics
            .filter((found) => !datedCodes.includes(found.code))
            .map((found) => [found.code, `${path.basename(each.file)}${found.pointer}`]),
        ),
      ).toEqual(findings);
    },
  );
});
