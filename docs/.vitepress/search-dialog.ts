import type { UserConfig } from 'vitepress';

/** Parts of the template of VitePress's search, and their replacements for assistive technology. */
const replacements: readonly (readonly [from: string, to: string])[] = [
  // The element is a dialog with an input and a list. As a button, its content would not be announced.
  ['      role="button"\n', '      role="dialog"\n      aria-modal="true"\n'],
  ['      :aria-owns="results?.length ? \'localsearch-list\' : undefined"\n', ''],
  ['      aria-expanded="true"\n      aria-haspopup="listbox"\n', ''],
  [
    '            aria-autocomplete="both"\n',
    '            role="combobox"\n            :aria-expanded="results?.length ? \'true\' : \'false\'"\n            aria-haspopup="listbox"\n            aria-autocomplete="list"\n',
  ],
  // A label without text is not a name.
  [
    '      aria-labelledby="localsearch-label"\n      class="VPLocalSearchBox"\n',
    '      :aria-label="buttonText"\n      class="VPLocalSearchBox"\n',
  ],
  ['            aria-labelledby="localsearch-label"\n', '            :aria-label="buttonText"\n'],
  [
    ':aria-labelledby="results?.length ? \'localsearch-label\' : undefined"',
    ':aria-label="results?.length ? buttonText : undefined"',
  ],
  // An option must not contain a link, but a link can be an option.
  [
    '            :id="\'localsearch-item-\' + index"\n            :aria-selected="selectedIndex === index ? \'true\' : \'false\'"\n            role="option"\n',
    '            role="none"\n',
  ],
  [
    '              :href="p.id"\n',
    '              :href="p.id"\n              :id="\'localsearch-item-\' + index"\n              :aria-selected="selectedIndex === index ? \'true\' : \'false\'"\n              role="option"\n',
  ],
  // The text is the name.
  ['              :aria-label="[...p.titles, p.title].join(\' > \')"\n', ''],
  ['<span class="title-icon">#</span>', '<span class="title-icon" aria-hidden="true">#</span>'],
  ...['navigateUp', 'navigateDown', 'select', 'close'].map((key): readonly [string, string] => {
    const label = `<kbd :aria-label="translate('modal.footer.${key}KeyAriaLabel')"`;
    return [label, label.replace('<kbd ', '<kbd role="img" ')];
  }),
];

/** Makes the search of VitePress accessible to screen readers. Throws if VitePress has changed its template. */
export const accessibleSearch: NonNullable<NonNullable<UserConfig['vite']>['plugins']>[number] = {
  name: 'accessible-search',
  enforce: 'pre',
  transform: (text, id) => {
    if (!id.endsWith('/VPLocalSearchBox.vue')) return;
    return replacements.reduce((changed, [from, to]) => {
      if (changed.split(from).length !== 2)
        throw new Error(
          `The search of VitePress no longer has ${from.trim()} once: adapt .vitepress/search-dialog.ts.`,
        );
      return changed.replace(from, () => to);
    }, text);
  },
};
