import type { Diagnostic } from '../../schema/errors/diagnostic.ts';
import { applyEdits } from '../fix/apply-edits.ts';
import { diagnosticKey, isFixed } from '../fix/is-fixed.ts';
import type { CommandServices, TextOutput } from './command-line/services.ts';
import type { CompileText } from './configs/compiled-files.ts';
import { difference } from './difference.ts';
import { writeBack } from './files/write-back.ts';
import type { CompiledFile } from './report/compiled-file.ts';

/** The maximum number of fixes for one file. Each of them needs a compilation. */
const maxFixes = 200;

export interface FixOptions {
  /** Whether to ask about guesses, if there is a terminal. */
  readonly mayAsk: boolean;
  /** The output that shows the changes. */
  readonly log: TextOutput;
}

/** Applies the fixes of a file one by one, writes it, and returns its new findings. */
export const fixFile =
  ({ io }: Pick<CommandServices, 'io'>, { mayAsk, log }: FixOptions) =>
  async (found: CompiledFile, compile: CompileText): Promise<CompiledFile> => {
    // A pipe cannot be written back to.
    if (await io.isEndless(found.file)) return found;
    const refused = new Set<string>();
    const { ask } = io;
    const attempt = async (file: CompiledFile, finding: Diagnostic): Promise<CompiledFile | undefined> => {
      const { fix } = finding;
      if (fix === undefined || (fix.kind === 'guess' && (!mayAsk || ask === undefined))) return undefined;
      const text = applyEdits(file.text, file.file, fix.edits);
      if (text === undefined || text === file.text) return undefined;
      const after = await compile(text);
      if (!isFixed({ before: file, after }, finding, fix.kind)) return undefined;
      const shown = difference({ file: file.file, before: file.text, after: text }, log.colour);
      log.write(`${shown}`);
      const isWanted = fix.kind === 'safe' || (await ask?.(`${finding.message} Change it?`)) === true;
      return isWanted ? after : undefined;
    };
    let current = found;
    for (let fixes = 0; fixes < maxFixes; fixes += 1) {
      const isOpen = (each: Diagnostic): boolean =>
        each.fix !== undefined && !refused.has(`${each.pointer} ${diagnosticKey(each)}`);
      const open = current.diagnostics.filter(isOpen);
      const next = open.find(({ fix }) => fix?.kind === 'safe') ?? open[0];
      if (next === undefined) break;
      const fixed = await attempt(current, next);
      if (fixed === undefined) refused.add(`${next.pointer} ${diagnosticKey(next)}`);
      else current = fixed;
    }
    if (current.text === found.text) return found;
    await writeBack({ file: found.file, before: found.text, after: current.text }, io);
    return current;
  };
