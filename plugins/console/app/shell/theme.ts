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

const prefersDark = window.matchMedia('(prefers-color-scheme: dark)');

/** Applies the theme to the page: `light`, `dark`, or for `system` the one that the browser prefers. */
export const applyTheme = (): void => {
  const preferred = prefersDark.matches ? 'dark' : 'light';
  document.documentElement.dataset.theme = theme.value === 'system' ? preferred : theme.value;
};

prefersDark.addEventListener('change', applyTheme);

export const setTheme = (next: Theme): void => {
  theme.value = next;
  applyTheme();
  try {
    window.localStorage.setItem(storageKey, next);
  } catch {
    // Without storage the theme is lost on reload.
  }
};
