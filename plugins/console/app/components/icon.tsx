/** Paths in a square of 16 by 16. */
const paths = {
  menu: 'M2 4h12M2 8h12M2 12h12',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM10.5 10.5 14 14',
  live: 'M1.5 8h3l2-5 3 10 2-5h3',
  plan: 'M2 3h4v4H2zM10 2h4v4h-4zM10 10h4v4h-4zM6 5h2v7h2M8 4h2',
  config: 'M5 2 1.5 8 5 14M11 2l3.5 6L11 14',
  play: 'M4 2.5v11L13 8z',
  key: 'M5 7.5a3 3 0 1 0 0 .1M8 7.5h6v3M11.5 7.5V10',
  provider: 'M4 12.5a3 3 0 0 1-.3-6 4.5 4.5 0 0 1 8.7 1 2.6 2.6 0 0 1-.4 5z',
  policy: 'M2.5 11a5.5 5.5 0 1 1 11 0M8 11l3-4',
  guardrail: 'M8 1.8 13 4v4c0 3-2 5-5 6.2C5 13 3 11 3 8V4z',
  audit: 'M3.5 2h9v12h-9zM6 5.5h4M6 8h4M6 10.5h2.5',
  usage: 'M2 14h12M4 11.5V8M8 11.5V3M12 11.5V6',
} as const;

export type IconName = keyof typeof paths;

/** An icon beside a text; hidden from screen readers. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
    <path d={paths[name]} />
  </svg>
);

export const Logo = () => (
  <svg class="logo" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <rect width="24" height="24" rx="6" />
    <path d="M7 17V7h10M7 12h6a4 4 0 0 1 4 4v1" />
  </svg>
);
