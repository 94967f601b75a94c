import { closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { searchKeymap } from '@codemirror/search';
import { Compartment, EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightSpecialChars, keymap, lineNumbers, tooltips } from '@codemirror/view';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { TextChange } from '../../../../../compiler/editor/api.ts';
import { assistance } from './assistance.ts';
import type { Compiler } from './compiler.ts';
import type { Finding } from './findings.ts';
import type { TextRange } from './places.ts';
import { colours, theme } from './theme.ts';

/** The operations that a page has on an editor. */
export interface EditorHandle {
  /** Selects a range and scrolls to it. With `takesFocus` the editor also gets the focus. */
  show(range: TextRange, takesFocus: boolean): void;
  /** Applies a change, which can be undone. */
  apply(change: TextChange): void;
  replace(text: string): void;
}

export interface CodeEditorProps {
  readonly label: string;
  readonly text: string;
  readonly isReadOnly: boolean;
  readonly findings: readonly Finding[];
  readonly compiler: Compiler | undefined;
  readonly handle: { current: EditorHandle | null };
  onChange(text: string): void;
}

/** In a shadow root CodeMirror adds its styles as `adoptedStyleSheets`. Elsewhere they are inline, which the policy forbids. */
const openEditor = (host: HTMLElement, state: EditorState): EditorView => {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const frame = document.createElement('div');
  frame.style.height = '100%';
  root.replaceChildren(frame);
  return new EditorView({ state, parent: frame, root });
};

/** A JSON editor. The Tab key moves the focus out of it instead of indenting. */
export const CodeEditor = (props: CodeEditorProps): VNode => {
  const { label, text, isReadOnly, findings, compiler, handle } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | undefined>(undefined);
  const parts = useRef({ assistance: new Compartment(), reading: new Compartment() });
  const latest = useRef(props);
  latest.current = props;

  useEffect(() => {
    if (host.current === null) return;
    const { assistance: assisted, reading } = parts.current;
    const state = EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        highlightSpecialChars(),
        history(),
        drawSelection(),
        bracketMatching(),
        closeBrackets(),
        lintGutter(),
        json(),
        colours,
        theme,
        tooltips({ position: 'absolute' }),
        keymap.of([
          ...closeBracketsKeymap,
          ...completionKeymap,
          ...lintKeymap,
          ...searchKeymap,
          ...historyKeymap,
          ...defaultKeymap,
        ]),
        EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
        assisted.of([]),
        reading.of(EditorState.readOnly.of(isReadOnly)),
        EditorView.updateListener.of(({ docChanged, state: { doc } }) => {
          if (docChanged) latest.current.onChange(doc.toString());
        }),
      ],
    });
    const opened = openEditor(host.current, state);
    view.current = opened;
    handle.current = {
      show({ from, to }, takesFocus) {
        const end = opened.state.doc.length;
        const selection = { anchor: Math.min(from, end), head: Math.min(to, end) };
        opened.dispatch({ selection, effects: EditorView.scrollIntoView(selection.anchor, { y: 'center' }) });
        if (takesFocus) opened.focus();
      },
      apply({ piece: { offset, length }, text: insert }) {
        opened.dispatch({ changes: { from: offset, to: offset + length, insert }, userEvent: 'input.fix' });
      },
      replace(insert) {
        opened.dispatch({ changes: { from: 0, to: opened.state.doc.length, insert } });
      },
    };
    return () => {
      handle.current = null;
      view.current = undefined;
      opened.destroy();
    };
  }, []);

  useEffect(() => {
    const effects = parts.current.assistance.reconfigure(compiler === undefined ? [] : assistance(compiler));
    view.current?.dispatch({ effects });
  }, [compiler]);

  useEffect(() => {
    view.current?.dispatch({ effects: parts.current.reading.reconfigure(EditorState.readOnly.of(isReadOnly)) });
  }, [isReadOnly]);

  useEffect(() => {
    const opened = view.current;
    if (opened === undefined) return;
    const end = opened.state.doc.length;
    opened.dispatch(
      setDiagnostics(
        opened.state,
        findings.map(({ from, to, severity, message, hint, code }) => ({
          ...{ from: Math.min(from, end), to: Math.min(to, end), source: code },
          severity: severity === 'note' ? ('info' as const) : severity,
          message: hint === '' ? message : `${message}\n${hint}`,
        })),
      ),
    );
  }, [findings]);

  return <div ref={host} class="code-editor" />;
};
