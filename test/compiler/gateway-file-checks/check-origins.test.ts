import { describe, expect, it } from 'vitest';
import { checkOrigins } from '../../../compiler/gateway-file-checks/check-origins.ts';

describe('an origin that the gateway file lists', () => {
  it.each([
    ...['*', 'https://app.example.com', 'http://localhost:5173', 'https://[::1]:8443', 'https://xn--bcher-kva.example'],
    ...['capacitor://localhost', 'tauri://localhost', 'chrome-extension://abcdefghijklmnopabcdefghijklmnop'],
  ])('is as browsers send it: %s', (origin) => {
    expect(checkOrigins([origin])).toEqual([]);
  });

  it.each([
    ['app.example.com', 'Write "https://app.example.com".'],
    ['localhost:5173', 'Write "http://localhost:5173".'],
    ['https://app.example.com/', 'Write "https://app.example.com".'],
    ['https://app.example.com/chat?x=1', 'Write "https://app.example.com".'],
    ['https://app.example.com:443', 'Write "https://app.example.com".'],
    ['HTTPS://App.Example.com', 'Write "https://app.example.com".'],
    ['https://bücher.example', 'Write "https://xn--bcher-kva.example".'],
    ['https://user@app.example.com', 'Write "https://app.example.com".'],
    ['https://*.example.com', 'Patterns are not read: list each origin by itself, or write "*" for all pages.'],
    ['null', 'Any page can have it. Remove it, or write "*" for all pages.'],
    ['two words', 'Write "https://app.example.com", for instance.'],
    ['file:///home/page.html', 'Write "https://app.example.com", for instance.'],
  ])('is refused in any other form: %s', (origin, hint) => {
    expect(checkOrigins(['https://first.example', origin])).toEqual([
      {
        code: 'invalid-origin',
        pointer: '/cors/origins/1',
        message: `${JSON.stringify(origin)} is not the origin of a page.`,
        hint,
      },
    ]);
  });
});
