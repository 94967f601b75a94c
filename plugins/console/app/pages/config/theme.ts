import { syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';

/** The kinds of JSON tokens that have a colour, by the names of their tags. */
const coloured: ReadonlySet<string> = new Set(['propertyName', 'string', 'number', 'bool', 'null']);

/** Gives tokens classes. The theme colours them with the variables of the page, so the editor follows its light or dark theme. */
export const colours = syntaxHighlighting({
  style: (tags) => {
    const name = tags.map(String).find((each) => coloured.has(each));
    return name === undefined ? null : `token-${name}`;
  },
});

/** The styles of the editor. They go into a style sheet of its shadow root, which a policy without inline styles allows. */
export const theme = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--surface)', color: 'var(--text)', fontSize: '12.5px' },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--text)', minHeight: '100%', outline: 'none' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--surface-2)', color: 'var(--muted)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'var(--accent-soft)',
  },
  '.cm-matchingBracket': { outline: '1px solid var(--border-strong)', backgroundColor: 'transparent !important' },
  '.token-propertyName': { color: 'var(--series-1)' },
  '.token-string': { color: 'var(--good)' },
  '.token-number, .token-bool, .token-null': { color: 'var(--series-3)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
    border: '1px solid var(--border-strong)',
    borderRadius: 'var(--radius)',
    boxShadow: 'var(--shadow-large)',
    maxWidth: 'min(480px, 90vw)',
    fontFamily: 'var(--font)',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--accent-text)' },
  '.cm-completionInfo': { padding: '8px', whiteSpace: 'pre-wrap' },
  '.cm-hover-text': { padding: '8px', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' },
  '.cm-diagnostic': { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' },
  '.cm-diagnosticAction': {
    backgroundColor: 'var(--accent)',
    color: 'var(--accent-text)',
    borderRadius: 'var(--radius)',
  },
  '.cm-panels': { backgroundColor: 'var(--surface-2)', color: 'var(--text)' },
  '.cm-panel input, .cm-panel button': {
    color: 'var(--text)',
    backgroundColor: 'var(--surface)',
    backgroundImage: 'none',
  },
});
