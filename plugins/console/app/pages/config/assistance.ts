import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import { hoverTooltip } from '@codemirror/view';
import { revealHidden } from '../../components/safe-pieces.ts';
import type { Compiler } from './compiler.ts';

const types = { member: 'property', value: 'constant', name: 'variable' } as const;

/** Completes with what the compiler suggests at the cursor. Offers nothing if the compiler does not respond. */
const complete =
  (compiler: Compiler) =>
  async ({ state, pos, explicit }: CompletionContext): Promise<CompletionResult | null> => {
    if (!explicit && !/["\w@.$-]/.test(state.sliceDoc(pos - 1, pos))) return null;
    const found = await compiler.ask(state.doc.toString(), { about: 'completions', offset: pos }).catch(() => []);
    const [first] = found;
    if (first === undefined) return null;
    return {
      from: first.piece.offset,
      to: first.piece.offset + first.piece.length,
      // The compiler has already filtered them by the typed text, including quotes.
      filter: false,
      options: found.map(({ label, kind, text, describe }) => ({
        ...{ label, type: types[kind], apply: text },
        ...(describe === undefined ? {} : { info: describe }),
      })),
    };
  };

/** Completion and hover texts from the compiler. They are always shown as plain text. */
export const assistance = (compiler: Compiler): Extension => [
  autocompletion({ override: [complete(compiler)], icons: false }),
  hoverTooltip(async (view, offset) => {
    const text = view.state.doc.toString();
    const found = await compiler.ask(text, { about: 'hover', offset }).catch(() => undefined);
    if (found === undefined) return null;
    return {
      pos: found.piece.offset,
      end: found.piece.offset + found.piece.length,
      above: true,
      create: () => {
        const dom = document.createElement('div');
        dom.className = 'cm-hover-text';
        dom.textContent = revealHidden(found.text);
        return { dom };
      },
    };
  }),
];
