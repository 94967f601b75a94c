import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import { hoverTooltip } from '@codemirror/view';
import { toVisible } from '../../parts/safe-pieces.ts';
import type { Compiler } from './compiler.ts';

const types = { member: 'property', value: 'constant', name: 'variable' } as const;

/** Completes by what the compiler offers at the cursor. Nothing where it cannot be asked. */
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
      // They are chosen by what is written, quotes and all, already.
      filter: false,
      options: found.map(({ label, kind, text, describe }) => ({
        ...{ label, type: types[kind], apply: text },
        ...(describe === undefined ? {} : { info: describe }),
      })),
    };
  };

/** Completion and hover, as the compiler answers them. Texts are shown as text, whatever they say. */
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
        dom.textContent = toVisible(found.text);
        return { dom };
      },
    };
  }),
];
