import { afterEach, describe, expect, it } from 'vitest';
import { revealHidden, splitHidden } from '../../../plugins/console/app/components/safe-pieces.ts';

/** Loaded dynamically, because their types are for browsers. */
const load = (specifier: string) => import(specifier);
const { h, options } = await load('preact');
const { revealHiddenCharacters } = await load('../../../plugins/console/app/components/visible-nodes.ts');

describe('untrusted text', () => {
  it('is unchanged if all of it is visible, in any script', () => {
    for (const text of ['', 'a <b> & "c"\n\td', 'Łódź, Ångström', '日本語', 'مرحبا', 'שלום', '👩🏽\u200d👧', 'don’t …'])
      expect(revealHidden(text)).toBe(text);
  });

  it('has the code points of all other characters in their place', () => {
    expect(revealHidden('a\u202egnp\u0007\u00ad\u200b')).toBe('aU+202EgnpU+0007U+00ADU+200B');
    expect(revealHidden('\ud800')).toBe('U+D800');
  });

  it('is unchanged for exactly the characters that have no hidden piece', () => {
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

  it('have visible texts and attributes, whatever a page passes, and unchanged values', () => {
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
