import { afterEach, describe, expect, it } from 'vitest';
import { revealHidden, splitHidden } from '../../../plugins/console/app/parts/safe-pieces.ts';

/** Read as they are: their types are of the browser. */
const load = (specifier: string) => import(specifier);
const { h, options } = await load('preact');
const { revealHiddenCharacters } = await load('../../../plugins/console/app/parts/visible-nodes.ts');

describe('a text of others', () => {
  it('is shown as it is where all of it can be seen, in any script', () => {
    for (const text of ['', 'a <b> & "c"\n\td', 'Łódź, Ångström', '日本語', 'مرحبا', 'שלום', '👩🏽\u200d👧', 'don’t …'])
      expect(revealHidden(text)).toBe(text);
  });

  it('has the code points of all other characters in their place', () => {
    expect(revealHidden('a\u202egnp\u0007\u00ad\u200b')).toBe('aU+202EgnpU+0007U+00ADU+200B');
    expect(revealHidden('\ud800')).toBe('U+D800');
  });

  it('is plain just where it has no piece to hide, character by character', () => {
    for (let code = 0; code < 0x3000; code += 1) {
      const text = String.fromCharCode(code);
      expect([code, revealHidden(text) === text]).toEqual([code, splitHidden(text).every(({ isHidden }) => !isHidden)]);
    }
  });
});

describe('nodes', () => {
  const before = options.vnode;
  afterEach(() => {
    if (before === undefined) delete options.vnode;
    else options.vnode = before;
  });

  it('have visible texts and names, whatever a page gives them, and values as they are', () => {
    revealHiddenCharacters();
    const text = 'a\u202eb';
    const node = h('option', { value: text, title: text, 'aria-label': text }, text, [text, 1], h('b', null, text));
    const { children, ...props } = node.props;
    expect(props).toEqual({ value: text, title: 'aU+202Eb', 'aria-label': 'aU+202Eb' });
    const [first, list, inner] = children;
    expect([first, list, inner.props.children]).toEqual(['aU+202Eb', ['aU+202Eb', 1], 'aU+202Eb']);
    const Part = (): null => null;
    expect(h(Part, { title: text }).props.title).toBe(text);
  });
});
