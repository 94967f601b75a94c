import { describe, expect, it } from 'vitest';
import { parseTemplate } from '../../../../../../plugins/control/catalog/prompts/templates/parse-template.ts';

const toProblems = (text: string) => parseTemplate(text).problems ?? [];
const renderProblems = (text: string): readonly string[] =>
  toProblems(text).map(({ line, column, message, hint }) => `${line}:${column} ${message} ${hint}`);

describe('a problem of a template', () => {
  it.each([
    ['{{x', '1:1 The tag that begins here is not closed. Close it with "}}".'],
    ['a\nb {{x} {{y}}', '2:3 The tag that begins here is not closed. Close it with "}}".'],
    ['{{{x}} y', '1:1 The tag begins with three braces and ends with two. Write two on both sides'],
    ['{{=<% %>=}}', '1:1 The delimiters cannot be changed. Remove the tag'],
    ['{{= {{ }} =}}', '1:1 The delimiters cannot be changed. Remove the tag'],
    ['{{}}', '1:1 The tag has no name. Write a name between the braces.'],
    ['{{# }}x', '1:1 The tag has no name.'],
    ['\r\n {{$x}}', '2:2 There is no kind of tag that begins with "$". The tags are {{name}}'],
    ['{{&#x}}', '1:1 There is no kind of tag that begins with "#".'],
    ['{{<x}}', '1:1 There is no kind of tag that begins with "<".'],
    ['{{first name}}', '1:1 The name of a tag has no white space. Write one name, such as {{user.name}}.'],
    ['{{#if x.y}}a', '1:1 The name of a tag has no white space. Write {{#x.y}}…{{/x.y}}: a section'],
    ['{{#unless x}}a', '1:1 The name of a tag has no white space. Write {{^x}}…{{/x}}: a section'],
    ['{{"a":1}}', '1:1 The name of a tag has no braces or quotes. To have two braces in the text'],
    ['{{a{b}}', '1:1 The name of a tag has no braces or quotes.'],
    ['{{a..b}}', '1:1 A part of the dotted name is empty. Write a name between all dots'],
    ['{{.a}}', '1:1 A part of the dotted name is empty.'],
    ['é{{#x}}\n{{a}}', '1:2 The section "x" is not closed. Write {{/x}} where it ends; sections may not overlap.'],
    ['{{a}}\n  {{/x}}', '2:3 There is no open section "x" to close here. Write {{#x}} where it begins'],
    ['{{>a b}}', '1:1 The tag names no partial. Write {{>slug}}, {{>slug@5}} or {{>slug@latest}}'],
    ['{{>a@0}}', '1:1 The tag names no partial.'],
    ['{{>a@label}}', '1:1 The tag names no partial.'],
    ['{{>*a}}', '1:1 The tag names no partial.'],
    ['{{>}}', '1:1 The tag names no partial.'],
    ['{{>>a b}}', '1:1 The name of a tag has no white space.'],
  ])('in %j is reported with place and hint', (text, start) => {
    const [first = ''] = renderProblems(text);
    expect(first.slice(0, start.length)).toBe(start);
  });

  it('does not hide the others', () => {
    expect(renderProblems('{{a b}}\n{{=x=}} {{ok}}\n{{>p@x}}').map((line) => line.slice(0, 3))).toEqual([
      '1:1',
      '2:1',
      '3:1',
    ]);
    expect(renderProblems('{{#a}}{{#b}}{{/a}}\n{{/c}}{{^d}}').map((line) => line.slice(0, 34))).toEqual(
      [
        '1:7 The section "b" is not closed. ',
        '2:1 There is no open section "c" to',
        '2:7 The section "d" is not closed. ',
      ].map((line) => line.slice(0, 34)),
    );
  });

  it('is one of at most 20 that are reported', () => {
    expect(toProblems('{{}}'.repeat(1000))).toHaveLength(20);
    expect(toProblems('{{/x}}'.repeat(1000))).toHaveLength(20);
    expect(toProblems('{{#x}}'.repeat(1000))).toHaveLength(20);
  });

  it('is a nesting deeper than 32 levels, or a text larger than 1 MiB', () => {
    const nested = (levels: number): string => `${'{{#x}}'.repeat(levels)}${'{{/x}}'.repeat(levels)}`;
    expect(renderProblems(nested(32))).toEqual([]);
    expect(renderProblems(nested(33))).toEqual([
      '1:193 The section is nested deeper than 32 levels. Use dotted names, or move a part of the template into a partial.',
    ]);
    expect(renderProblems('é'.repeat(524_288))).toEqual([]);
    expect(renderProblems('é'.repeat(524_289))[0]).toContain('The template is larger than 1 MiB.');
  });
});

it('braces that are not a tag are text', () => {
  for (const text of ['{', '}', '}}', '{ {x} }', '{"a":{"b":1}}', '}}}}'])
    expect(parseTemplate(text).template?.nodes).toEqual([{ kind: 'text', text, starts: [0] }]);
});

it('nodes have the line and column of their tags', () => {
  expect(parseTemplate('a\r\n{{b.c}}\n {{#d}}{{>e@2}}{{/d}}').template?.nodes).toEqual([
    { kind: 'text', text: 'a\r\n', starts: [0] },
    { kind: 'text', text: '', starts: [0] },
    { kind: 'value', path: ['b', 'c'], at: { line: 2, column: 1 } },
    { kind: 'text', text: '\n ', starts: [1] },
    {
      kind: 'section',
      path: ['d'],
      at: { line: 3, column: 2 },
      nodes: [
        {
          kind: 'partial',
          reference: { name: 'e@2', slug: 'e', version: 2 },
          indentation: '',
          at: { line: 3, column: 8 },
        },
      ],
    },
  ]);
});
