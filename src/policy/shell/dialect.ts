import type * as bash from 'unbash';
import type { Refusal } from './text.js';

/** Whose language a script is in. `sh` is dash or busybox in most images, and parses these differently or not at all. */
export type Shell = 'bash' | 'sh';

/** Refuses in an `sh` script what only bash reads as the parser does (`a &> f` is `a & > f` in dash). */
export function checkDialect(node: bash.SyntaxNode, shell: Shell): Refusal | null {
  const construct = shell === 'sh' ? onlyInBash(node) : null;
  return construct
    ? { code: 'MEDIC_POLICY_PARSE', reason: `${construct} means something else in sh; use bash -c` }
    : null;
}

function onlyInBash(node: bash.SyntaxNode): string | null {
  switch (node.type) {
    case 'AnsiCQuoted':
    case 'BraceExpansion':
    case 'ProcessSubstitution':
    case 'ExtendedGlob':
    case 'TestCommand':
    case 'ArithmeticCommand':
    case 'ArithmeticFor':
    case 'HereString':
    case 'Time':
      return NAMES[node.type];
    case 'Assignment':
      return node.index || node.append ? 'this assignment' : null;
    case 'CommandExpansion':
      return node.text.startsWith('${') ? 'a substitution that begins with `${`' : null;
    case 'ArithmeticExpansion':
      return node.text.startsWith('$[') ? '`$[ ]`' : null;
    case 'ParameterExpansion':
      return isPosix(node) ? null : `\`${node.text}\``;
    case 'Pipeline':
      return node.operators.includes('|&') ? '`|&`' : null;
    case 'Redirect':
      return isPosixRedirect(node) ? null : `the redirection \`${node.operator}\``;
    case 'CaseItem':
      return node.terminator && node.terminator !== ';;' ? `\`${node.terminator}\`` : null;
    default:
      return null;
  }
}

const NAMES = {
  AnsiCQuoted: "`$'..'`",
  BraceExpansion: 'a brace expansion',
  ProcessSubstitution: 'a process substitution',
  ExtendedGlob: 'an extended glob',
  TestCommand: '`[[ ]]`',
  ArithmeticCommand: '`(( ))`',
  ArithmeticFor: '`for (( ))`',
  HereString: '`<<<`',
  Time: '`time`',
} as const;

function isPosix(node: bash.ParameterExpansionPart): boolean {
  if (node.index || node.prefix === '!') return false;
  return !node.operation || node.operation.type === 'Default' || node.operation.type === 'Remove';
}

function isPosixRedirect({ operator, descriptor, target }: bash.Redirect): boolean {
  if (descriptor && (descriptor.type === 'FileDescriptorVariable' || descriptor.value > 9)) return false;
  if (operator === '>&' || operator === '<&') return /^(\d|-)$/.test(target?.text ?? '');
  return operator !== '&>' && operator !== '&>>';
}
