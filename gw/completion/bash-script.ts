import type { CompletionRow, FlagValue } from './completion-rows.ts';
import { quoted, rowFunction } from './row-function.ts';

const toText = (value: FlagValue): string => (typeof value === 'string' ? value : value.join('|'));

const toCase = ({ at, words, flags, takesFiles }: CompletionRow): string =>
  [
    `    ${quoted(at)})`,
    `      words=${quoted(words.map(({ word }) => word).join(' '))}`,
    `      flags=${quoted(flags.map(({ flag, value }) => (value === 'none' ? flag : `${flag}:${toText(value)}`)).join(' '))}`,
    `      files=${takesFiles ? 1 : ''} ;;`,
  ].join('\n');

/** Returns the script for bash 3.2 and later. */
export const bashScript = (
  rows: readonly CompletionRow[],
): string => `# Completion of gw for bash. Load it with: source <(gw completion bash)

${rowFunction(rows.map(toCase))}

_gw_add() {
  local line
  while IFS= read -r line; do COMPREPLY+=("$line"); done
}

_gw() {
  local cur=\${COMP_WORDS[COMP_CWORD]} at=gw words flags files value='' word flag i names=''
  COMPREPLY=()
  _gw_row gw
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ $word == '=' ]]; then continue; fi
    if [[ -n $value ]]; then
      value=''
    elif [[ $word == -* ]]; then
      for flag in $flags; do
        if [[ $flag == "$word":* ]]; then value=\${flag#*:}; fi
      done
    elif _gw_row "$at $word"; then
      at="$at $word"
    fi
  done
  if [[ $cur == '=' ]]; then cur=''; fi
  if [[ $value == file ]]; then
    _gw_add < <(compgen -f -- "$cur")
    compopt -o filenames 2>/dev/null
  elif [[ -n $value ]]; then
    if [[ $value != text ]]; then _gw_add < <(compgen -W "\${value//|/ }" -- "$cur"); fi
  elif [[ $cur == -* ]]; then
    for flag in $flags; do names="$names \${flag%%:*}"; done
    _gw_add < <(compgen -W "$names" -- "$cur")
  else
    _gw_add < <(compgen -W "$words" -- "$cur")
    if [[ -n $files ]]; then
      _gw_add < <(compgen -f -- "$cur")
      compopt -o filenames 2>/dev/null
    fi
  fi
  return 0
}

complete -F _gw gw gatewright
`;
