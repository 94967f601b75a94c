import { signal } from '@preact/signals';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const storageKey = 'gatewright-theme';

const isTheme = (value: unknown): value is Theme => themes.some((theme) => theme === value);

const readTheme = (): Theme => {
  try {
    const value = window.localStorage.getItem(storageKey);
    return isTheme(value) ? value : 'system';
  } catch {
    return 'system';
  }
};

export const theme = signal<Theme>(readTheme());

/** Puts the theme on the page; `system` leaves it to the browser's preference. */
export const applyTheme = (): void => {
  if (theme.value === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
};

export const setTheme = (next: Theme): void => {
  theme.value = next;
  applyTheme();
  try {
    window.localStorage.setItem(storageKey, next);
  } catch {
    // A browser that stores nothing forgets the theme.
  }
};
